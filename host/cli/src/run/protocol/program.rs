//! A program that talks with the agent.

use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::Request;
use crate::input::{LONGEST, Lines};
use crate::run::front::{Front, Phase, Said};

/// A program, with a request on each line of the standard input.
pub struct Program {
    lines: Arc<Lines>,
    line: u64,
}

impl Program {
    /// Creates a program that writes these lines.
    pub fn new(lines: Arc<Lines>) -> Self {
        Self { lines, line: 0 }
    }
}

impl Front for Program {
    fn next(&mut self, _: Phase) -> BoxFuture<'_, Option<Said>> {
        Box::pin(async move {
            let line = self.lines.next_bytes().await?;
            self.line += 1;
            Some(Said {
                line: self.line,
                heard: read(&line).into(),
            })
        })
    }

    fn ask<'a>(&'a mut self, _: &'a ApprovalRequest) -> BoxFuture<'a, Option<ApprovalDecision>> {
        // An event has already asked the question.
        Box::pin(std::future::ready(None))
    }
}

fn read(line: &[u8]) -> Result<Request, String> {
    if line.len() > LONGEST {
        return Err(format!("the line has more than {LONGEST} bytes"));
    }
    serde_json::from_slice(line).map_err(|e| format!("the line is not a request: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_other_lines_refused() {
        for (line, expected) in [
            (r#"{"type":"cancel"}"#, Some(Request::Cancel)),
            (
                r#"{"type":"approval","id":"q","decision":{"deny":"no"}}"#,
                Some(Request::Approval {
                    id: "q".into(),
                    decision: ApprovalDecision::Deny("no".into()),
                }),
            ),
            (
                r#"{"type":"tool-result","call-id":"c","content":"blue"}"#,
                Some(Request::ToolResult {
                    call_id: "c".into(),
                    content: "blue".into(),
                    is_error: false,
                }),
            ),
            (r#"{"type":"input"}"#, None),
            (r#"{"type":"input","text":"a","more":1}"#, None),
            (r#"{"type":"approval","id":"q","decision":"maybe"}"#, None),
            ("Hello", None),
            ("", None),
        ] {
            assert_eq!(read(line.as_bytes()).ok(), expected, "{line}");
        }
        assert!(read(b"{\"type\":\"input\",\"text\":\"\xff\"}").is_err());
        assert!(read(&vec![b' '; LONGEST + 1]).is_err());
    }
}
