//! What the person is asked.

use portcullis_sdk::types::AskRequest;
use serde_json::Value;

/// As much of the arguments as a person will read.
const SHOWN: usize = 2_000;

/// The question whether a tool may run.
pub fn about(tool: &str, arguments: &str) -> AskRequest {
    AskRequest::new(format!("May the agent run the tool `{tool}`?"))
        .with_details(cut(&readable(arguments)))
}

fn readable(arguments: &str) -> String {
    serde_json::from_str::<Value>(arguments)
        .and_then(|arguments| serde_json::to_string_pretty(&arguments))
        .unwrap_or_else(|_| arguments.to_owned())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}\n… and {} bytes more", &text[..end], text.len() - end),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, about};

    #[test]
    fn the_arguments_are_laid_out() {
        let question = about("shell", r#"{"command":"ls"}"#);
        assert_eq!(question.question, "May the agent run the tool `shell`?");
        assert_eq!(
            question.details.as_deref(),
            Some("{\n  \"command\": \"ls\"\n}")
        );
    }

    #[test]
    fn long_arguments_are_cut_between_characters() {
        let details = about("shell", &"é".repeat(SHOWN + 5))
            .details
            .expect("details");
        assert!(details.ends_with("é\n… and 10 bytes more"), "{details}");
    }
}
