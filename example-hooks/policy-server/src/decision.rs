//! The question to the policy server, and its answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The reason if the server gives none.
pub const UNSAID: &str = "The policy does not allow this call.";

/// The question.
#[derive(Serialize)]
pub struct Question {
    pub input: Input,
}

/// The input of the policy.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Input {
    pub session: String,
    pub agent: String,
    pub turn: u32,
    pub tool: String,
    pub working_dir: Option<String>,
    pub arguments: Value,
}

/// The answer. A server that does not have the policy returns no result.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Decision {
    pub result: Option<Verdict>,
}

/// The result of the policy. It may have further members.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Verdict {
    pub allow: bool,
    pub reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_allows_only_where_it_says_so() {
        let read = |text: &str| serde_json::from_str::<Decision>(text).map(|it| it.result);
        let verdict = |allow, reason: Option<&str>| Verdict {
            allow,
            reason: reason.map(str::to_owned),
        };
        assert_eq!(
            read(r#"{"result": {"allow": true, "more": 1}, "decision_id": "x"}"#).ok(),
            Some(Some(verdict(true, None)))
        );
        assert_eq!(
            read(r#"{"result": {"allow": false, "reason": "no"}}"#).ok(),
            Some(Some(verdict(false, Some("no"))))
        );
        assert_eq!(read("{}").ok(), Some(None));
        for wrong in [
            r#"{"result": true}"#,
            r#"{"result": {"allow": "yes"}}"#,
            r#"{"result": {}}"#,
            "[]",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_question_names_the_call() {
        let question = Question {
            input: Input {
                session: "s".into(),
                agent: "a".into(),
                turn: 1,
                tool: "shell".into(),
                working_dir: Some("/work".into()),
                arguments: serde_json::json!({"command": "ls"}),
            },
        };
        assert_eq!(
            serde_json::to_value(question).ok(),
            Some(serde_json::json!({"input": {
                "session": "s", "agent": "a", "turn": 1, "tool": "shell",
                "working-dir": "/work", "arguments": {"command": "ls"},
            }}))
        );
    }
}
