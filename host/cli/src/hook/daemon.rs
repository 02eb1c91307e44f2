//! Having the daemon decide an event.

use portcullis::trace::TraceContext;
use portcullis_dialects::{Answer, failure};
use portcullis_serve::client::{self, ClientError};

use super::{HookArgs, Incoming, UseDaemon};
use crate::daemon::Daemon;
use crate::terminal::Out;
use crate::terminal::format::printable;

/// Returns the daemon's answer, or `None` if the daemon has not begun with the event. Makes no
/// engine, runtime or logging: with a daemon, process start is most of an event's time.
pub fn ask(incoming: &Incoming, args: &HookArgs) -> Option<Answer> {
    asked(incoming, args, |daemon, why| {
        say(args, why);
        if let (Some(daemon), UseDaemon::Start) = (daemon, args.daemon) {
            start(args, daemon);
        }
    })
}

/// Like [`ask`], but prints and starts nothing, since the next program asks again.
pub fn ask_silently(incoming: &Incoming, args: &HookArgs) -> Option<Answer> {
    asked(incoming, args, |_, _| {})
}

fn asked(
    incoming: &Incoming,
    args: &HookArgs,
    unreached: impl FnOnce(Option<&Daemon>, &str),
) -> Option<Answer> {
    if args.daemon == UseDaemon::Never {
        return None;
    }
    let daemon = match args.hooks.daemon() {
        Ok(daemon) => daemon,
        // Loading the hooks reports the fault.
        Err(error) => {
            unreached(None, &error.to_string());
            return None;
        }
    };
    let event = &incoming.event;
    let until = incoming.deadline.until();
    match client::answer(
        &daemon.id,
        &daemon.dir,
        event.dialect(),
        &incoming.text,
        until,
        TraceContext::of_environment().as_ref(),
    ) {
        Ok(answered) => {
            if args.verbose {
                super::say(&answered.calls, "in the daemon");
            }
            Some(answered.answer)
        }
        Err(ClientError::NotBegun(why)) => {
            unreached(Some(&daemon), &why);
            None
        }
        // The daemon may have run the hooks, so they must not run again.
        Err(error) => Some(failure(event.dialect(), Some(event), &error.to_string())),
    }
}

fn start(args: &HookArgs, daemon: &Daemon) {
    match args.hooks.start(daemon) {
        Ok(()) => say(args, "one is started for later events"),
        Err(error) => say(args, &format!("none can be started: {error:#}")),
    }
}

fn say(args: &HookArgs, why: &str) {
    if args.verbose {
        // A closed standard error does not keep the event from being decided.
        let _ = Out::stderr().line(printable!("in this process: {}", why));
    }
}
