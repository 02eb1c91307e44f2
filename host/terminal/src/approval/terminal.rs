//! Asking the person at the terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis_agent::ApprovalRequest;

use super::ShownQuestion;
use crate::Out;
use crate::format::{print_line, print_text};
use crate::input::Lines;
use crate::style::NOTE;

/// Asks the person at the terminal. Without a terminal, the answer is no.
pub struct TerminalApprover {
    lines: Arc<Lines>,
    may_defer: bool,
    instead: Option<&'static str>,
}

/// A person's input.
enum Typed {
    /// Yes, to a value that was shown.
    Yes,
    No,
    Other(String),
}

impl TerminalApprover {
    /// Creates an approver that reads answers from these lines.
    pub fn new(lines: Arc<Lines>) -> Self {
        Self {
            lines,
            may_defer: false,
            instead: None,
        }
    }

    /// Sets the advice in the error message if there is no terminal.
    pub fn instead(mut self, instead: &'static str) -> Self {
        self.instead = Some(instead);
        self
    }

    /// Sets whether a person may answer later. The turn is then suspended.
    pub fn may_defer(mut self, may_defer: bool) -> Self {
        self.may_defer = may_defer;
        self
    }

    /// Asks. If nobody can be asked, the answer is no.
    pub async fn decide(&self, request: &ApprovalRequest) -> ApprovalDecision {
        self.put(&request.into())
            .await
            .unwrap_or_else(|e| ApprovalDecision::Unanswered(format!("nobody could be asked: {e}")))
    }

    /// Asks whether a value that waits may go ahead. Only yes and no are answers.
    pub async fn confirms(&self, question: &ShownQuestion<'_>) -> io::Result<bool> {
        question.write(&mut Out::stderr())?;
        let mut is_seen = !question.value.is_long();
        loop {
            match self.typed(question, &mut is_seen, "").await? {
                Some(Typed::Yes) => return Ok(true),
                Some(Typed::No) | None => return Ok(false),
                Some(Typed::Other(_)) => {}
            }
        }
    }

    async fn put(&self, question: &ShownQuestion<'_>) -> io::Result<ApprovalDecision> {
        question.write(&mut Out::stderr())?;
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            eprintln(&match self.instead {
                Some(instead) => format!("denied: there is no terminal to ask at; {instead}"),
                None => "denied: there is no terminal to ask at".to_owned(),
            });
            return Ok(ApprovalDecision::Unanswered(
                "there is no terminal to ask at".into(),
            ));
        }
        let mut is_seen = !question.value.is_long();
        let more = match self.may_defer {
            true => ", edit, later",
            false => ", edit",
        };
        loop {
            match self.typed(question, &mut is_seen, more).await? {
                Some(Typed::Yes) => return Ok(ApprovalDecision::Approve),
                Some(Typed::No) => {
                    prompt("why (for the model)? ")?;
                    let reason = self.lines.next().await.unwrap_or_default();
                    return Ok(ApprovalDecision::Deny(match reason.trim() {
                        "" => "a person said no".into(),
                        reason => reason.to_owned(),
                    }));
                }
                None => return Ok(ApprovalDecision::Unanswered("nobody answered".into())),
                Some(Typed::Other(word)) => match word.as_str() {
                    "l" | "later" if self.may_defer => return Ok(ApprovalDecision::Defer),
                    "e" | "edit" => {
                        if let Some(changed) = self.edit().await? {
                            return Ok(ApprovalDecision::Edit(changed));
                        }
                    }
                    _ => {}
                },
            }
        }
    }

    /// Asks once. A yes counts only for a value that was shown; `show` shows it. Returns `None` at
    /// the end of the input.
    async fn typed(
        &self,
        question: &ShownQuestion<'_>,
        is_seen: &mut bool,
        more: &str,
    ) -> io::Result<Option<Typed>> {
        prompt(&match *is_seen {
            true => listed(&format!("yes, no{more}")),
            false => listed(&format!("approve, no{more}, show")),
        })?;
        let Some(line) = self.lines.next().await else {
            return Ok(None);
        };
        let word = line.trim().to_ascii_lowercase();
        Ok(Some(match word.as_str() {
            "y" | "yes" if *is_seen => Typed::Yes,
            "approve" => Typed::Yes,
            "n" | "no" => Typed::No,
            "s" | "show" => {
                question.value.write(&mut Out::stderr())?;
                *is_seen = true;
                Typed::Other(String::new())
            }
            "y" | "yes" => {
                eprintln("part of the value is not shown; type `show` to see it, or `approve`");
                Typed::Other(String::new())
            }
            _ => Typed::Other(word),
        }))
    }

    /// Returns the edited arguments, on one line; `None` if they are not a JSON object.
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

/// Returns `yes, no` as `yes or no? `.
fn listed(words: &str) -> String {
    match words.rsplit_once(", ") {
        Some((words, last)) => format!("{words} or {last}? "),
        None => format!("{words}? "),
    }
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
