//! The questions of a suspended turn, and the commands that resume it.

use std::io;

use portcullis_agent::{PendingCall, Suspension, Wanted};

use super::Again;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, NOTE};
use crate::terminal::{Out, Printable};

/// Writes that a user's message was not sent, because the turn before it waits.
pub fn write_not_sent(text: &str) -> io::Result<()> {
    print_line!(
        Out::stderr(),
        "{NOTE}your message was not sent: the turn before it waits; answer that turn, then send it again:{NOTE:#} {}",
        text
    )
}

/// Writes the decisions and results that a turn waits for.
pub fn write(suspension: &Suspension, again: &Again) -> io::Result<()> {
    let mut err = Out::stderr();
    print_line!(
        err,
        "{NOTE}the turn is suspended{NOTE:#} until it is known:"
    )?;
    for call in &suspension.pending {
        let arguments = Printable::line(&call.arguments);
        print_line!(
            err,
            "  {} {} {DIM}{}{DIM:#}",
            call.call_id,
            call.tool,
            arguments
        )?;
        match &call.wants {
            Wanted::Decision {
                hook,
                request,
                then,
            } => {
                let then = then.iter().map(|next| (&next.hook, &next.request));
                for (hook, request) in std::iter::once((hook, request)).chain(then) {
                    let question = Printable::line(&request.question);
                    print_line!(err, "    {} asks: {}", hook, question)?;
                }
            }
            Wanted::Result => {
                print_line!(err, "    the tool's result: --result {}=TEXT", call.call_id)?;
            }
        }
    }
    let asks = |call: &PendingCall| matches!(call.wants, Wanted::Decision { .. });
    if suspension.pending.iter().any(asks) {
        let approve = again.approve(&suspension.checkpoint);
        print_line!(err, "  {}", Printable::whole(approve))?;
    }
    let resume = again.resume(&suspension.checkpoint);
    print_line!(err, "  {}", Printable::whole(resume))
}
