//! A question as it is shown.

use std::io;

use portcullis_agent::{ApprovalRequest, PendingCall, Wanted};

use super::Value;
use crate::format::print_line;
use crate::style::{BOLD, DIM, NOTE};
use crate::{Out, Printable, question_width};

/// A question as it is shown. The value that would go ahead is the result of the whole chain, not
/// the hook's quote.
pub struct ShownQuestion<'a> {
    /// The hook that asks.
    pub hook: &'a str,
    /// The subject of the question: a point, or a tool.
    pub about: &'a str,
    /// The question.
    pub question: &'a str,
    /// The later questions about the same subject, each with the hook that asks.
    pub then: Vec<(&'a str, &'a str)>,
    /// The value that would go ahead.
    pub value: Value,
}

impl<'a> ShownQuestion<'a> {
    /// Returns the question of a call that waits; `None` if it waits for a result.
    pub fn of_call(call: &'a PendingCall) -> Option<Self> {
        let Wanted::Decision {
            hook,
            request,
            then,
        } = &call.wants
        else {
            return None;
        };
        Some(Self {
            hook,
            about: &call.tool,
            question: &request.question,
            then: (then.iter())
                .map(|next| (next.hook.as_str(), next.request.question.as_str()))
                .collect(),
            value: value(&call.arguments),
        })
    }

    /// Writes the question and its value: the whole value, or the two ends of a long one.
    pub fn write(&self, out: &mut Out) -> io::Result<()> {
        print_line!(
            out,
            "\n{NOTE}?{NOTE:#} {BOLD}{}{BOLD:#} {DIM}({} asks at {}){DIM:#}",
            self.question,
            self.hook,
            self.about
        )?;
        for (hook, question) in &self.then {
            print_line!(
                out,
                "{DIM}then {} asks: {}{DIM:#}",
                hook,
                Printable::line(*question)
            )?;
        }
        match self.value.is_long() {
            true => self.value.write_ends(out)?,
            false => self.value.write(out)?,
        }
        out.flush()
    }
}

impl<'a> From<&'a ApprovalRequest> for ShownQuestion<'a> {
    fn from(request: &'a ApprovalRequest) -> Self {
        Self {
            hook: &request.hook,
            about: request.point.name(),
            question: &request.question,
            then: Vec::new(),
            value: value(&request.value),
        }
    }
}

fn value(text: &str) -> Value {
    Value::new(text, question_width().saturating_sub(2))
}
