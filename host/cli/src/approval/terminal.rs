//! Asking the person at the terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};

use super::Asking;
use super::value::Value;
use crate::input::Lines;
use crate::terminal::format::{print_line, print_text};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::{Out, question_width};

/// Asks the person at the terminal. Without a terminal, the answer is no.
pub struct TerminalApprover {
    lines: Arc<Lines>,
}

impl TerminalApprover {
    /// Answers are read from these lines.
    pub fn new(lines: Arc<Lines>) -> Self {
        Self { lines }
    }

    /// Asks. If nobody can be asked, the answer is no.
    pub async fn decide(&self, asking: &Asking) -> ApprovalDecision {
        self.put(asking)
            .await
            .unwrap_or_else(|e| ApprovalDecision::Deny(format!("nobody could be asked: {e}")))
    }

    async fn put(&self, asking: &Asking) -> io::Result<ApprovalDecision> {
        // The value that would go ahead is the one that the whole chain left, not what the hook quotes.
        let value = Value::new(&asking.value, question_width().saturating_sub(2));
        show(asking, &value)?;
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            eprintln("denied: there is no terminal to ask at");
            return Ok(ApprovalDecision::Deny(
                "there is no terminal to ask at".into(),
            ));
        }
        let mut is_seen = !value.is_long();
        loop {
            prompt(match is_seen {
                true => "yes, no or edit? ",
                false => "approve, no, edit or show? ",
            })?;
            let Some(line) = self.lines.next().await else {
                return Ok(ApprovalDecision::Deny("nobody answered".into()));
            };
            match line.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" if is_seen => return Ok(ApprovalDecision::Approve),
                "approve" => return Ok(ApprovalDecision::Approve),
                "s" | "show" => {
                    value.write(&mut Out::stderr())?;
                    is_seen = true;
                }
                "n" | "no" => {
                    prompt("why (for the model)? ")?;
                    let reason = self.lines.next().await.unwrap_or_default();
                    return Ok(ApprovalDecision::Deny(match reason.trim() {
                        "" => "a person said no".into(),
                        reason => reason.to_owned(),
                    }));
                }
                "e" | "edit" => {
                    if let Some(changed) = self.edit().await? {
                        return Ok(ApprovalDecision::Edit(changed));
                    }
                }
                "y" | "yes" => {
                    eprintln("part of the value is not shown; type `show` to see it, or `approve`");
                }
                _ => {}
            }
        }
    }

    /// Edited arguments, on one line; `None` if they are not a JSON object.
    async fn edit(&self) -> io::Result<Option<String>> {
        prompt("the arguments, as JSON on one line: ")?;
        let line = self.lines.next().await.unwrap_or_default();
        match serde_json::from_str::<serde_json::Value>(&line) {
            Ok(serde_json::Value::Object(_)) => Ok(Some(line)),
            Ok(_) => {
                eprintln("that is not a JSON object");
                Ok(None)
            }
            Err(e) => {
                eprintln(&format!("that is not JSON: {e}"));
                Ok(None)
            }
        }
    }
}

impl Approver for TerminalApprover {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move { self.decide(&question.into()).await })
    }
}

fn show(asking: &Asking, value: &Value) -> io::Result<()> {
    let mut err = Out::stderr();
    print_line!(
        err,
        "\n{NOTE}?{NOTE:#} {BOLD}{}{BOLD:#} {DIM}(asks {} at {}){DIM:#}",
        asking.question,
        asking.hook,
        asking.point
    )?;
    match value.is_long() {
        true => value.write_ends(&mut err)?,
        false => value.write(&mut err)?,
    }
    err.flush()
}

fn prompt(words: &str) -> io::Result<()> {
    let mut err = Out::stderr();
    print_text!(err, "{NOTE}{}{NOTE:#}", words)?;
    err.flush()
}

fn eprintln(words: &str) {
    // If the standard error is closed, there is no place to report it.
    let _ = print_line!(Out::stderr(), "{NOTE}{}{NOTE:#}", words);
}
