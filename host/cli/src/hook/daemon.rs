//! Having the daemon decide an event.

use portcullis_dialects::{Answer, failure};
use portcullis_serve::DaemonId;
use portcullis_serve::client::{self, ClientError};

use super::{HookArgs, Incoming, UseDaemon};
use crate::daemon::directory;
use crate::terminal::Out;
use crate::terminal::format::printable;

/// The daemon's answer; nothing if it has not begun with the event. No engine, no runtime and no logging is made here:
/// with a daemon, the start of the process is most of an event's time.
pub fn ask(incoming: &Incoming, args: &HookArgs) -> Option<Answer> {
    asked(incoming, args, |id, why| {
        say(args, why);
        if let (Some(id), UseDaemon::Start) = (id, args.daemon) {
            start(args, id);
        }
    })
}

/// The same, where the next program asks again.
pub fn ask_silently(incoming: &Incoming, args: &HookArgs) -> Option<Answer> {
    asked(incoming, args, |_, _| {})
}

fn asked(
    incoming: &Incoming,
    args: &HookArgs,
    unreached: impl FnOnce(Option<&DaemonId>, &str),
) -> Option<Answer> {
    if args.daemon == UseDaemon::Never {
        return None;
    }
    let reached = args.hooks.id().and_then(|id| Ok((id, directory()?)));
    let (id, dir) = match reached {
        Ok(reached) => reached,
        // To load the hooks says what is wrong with them.
        Err(error) => {
            unreached(None, &error.to_string());
            return None;
        }
    };
    let event = &incoming.event;
    let until = incoming.deadline.until();
    match client::answer(&id, &dir, event.dialect(), &incoming.text, until) {
        Ok(answered) => {
            if args.verbose {
                super::say(&answered.calls, "in the daemon");
            }
            Some(answered.answer)
        }
        Err(ClientError::NotBegun(why)) => {
            unreached(Some(&id), &why);
            None
        }
        // What it has done must not be done again.
        Err(error) => Some(failure(event.dialect(), Some(event), &error.to_string())),
    }
}

fn start(args: &HookArgs, id: &DaemonId) {
    match args.hooks.start(id) {
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
