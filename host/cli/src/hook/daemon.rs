//! Having the daemon decide an event.

use std::time::Instant;

use portcullis_dialects::{Answer, Event, failure};
use portcullis_serve::DaemonId;
use portcullis_serve::client::{self, ClientError};

use super::{HookArgs, UseDaemon};
use crate::daemon::directory;
use crate::terminal::Out;
use crate::terminal::format::printable;

/// The daemon's answer; nothing if the event is to be decided in this process. No engine, no runtime and no logging is
/// made here: with a daemon, the start of the process is most of an event's time.
pub fn event(event: &Event, text: &[u8], args: &HookArgs, until: Instant) -> Option<Answer> {
    if args.daemon == UseDaemon::Never {
        return None;
    }
    let reached = args.hooks.id().and_then(|id| Ok((id, directory()?)));
    let (id, dir) = match reached {
        Ok(reached) => reached,
        // To load the hooks says what is wrong with them.
        Err(error) => {
            say(args, &error.to_string());
            return None;
        }
    };
    match client::answer(&id, &dir, event.dialect(), text, until) {
        Ok(answered) => {
            if args.verbose {
                super::say(&answered.calls, "in the daemon");
            }
            Some(answered.answer)
        }
        Err(ClientError::NotBegun(why)) => {
            say(args, &why);
            if args.daemon == UseDaemon::Start {
                start(args, &id);
            }
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
