//! The ids of a response's tool calls.

use std::collections::{HashMap, HashSet};

use portcullis::contract::ContentPart;

/// The id of a call without an id.
const NAMELESS: &str = "call";

/// Makes the ids of a response's tool calls unique: answers to waiting calls, results and events
/// identify a call only by its id. Ids come from the provider or a hook, so they may be repeated or
/// empty. A `/` is replaced, because it separates the id of a sub-agent's call from the ids of the
/// calls that the sub-agent makes.
///
/// The same response gets the same ids whenever its turn runs.
pub(super) fn make_unique(content: &mut [ContentPart]) {
    let mut taken = HashSet::new();
    let mut copies: HashMap<String, u32> = HashMap::new();
    for part in content {
        let ContentPart::ToolCall(call) = part else {
            continue;
        };
        if call.id.is_empty() {
            NAMELESS.clone_into(&mut call.id);
        } else if call.id.contains('/') {
            call.id = call.id.replace('/', "_");
        }
        if taken.insert(call.id.clone()) {
            continue;
        }
        let copy = copies.entry(call.id.clone()).or_insert(1);
        let id = loop {
            *copy += 1;
            let id = format!("{}-{copy}", call.id);
            if taken.insert(id.clone()) {
                break id;
            }
        };
        call.id = id;
    }
}

#[cfg(test)]
mod tests {
    use portcullis::contract::ToolCall;

    use super::*;

    fn calls(ids: &[&str]) -> Vec<ContentPart> {
        let call = |id: &&str| {
            ContentPart::ToolCall(ToolCall {
                id: (*id).to_owned(),
                name: "t".into(),
                arguments: "{}".into(),
            })
        };
        let text = ContentPart::Text("x".into());
        [text].into_iter().chain(ids.iter().map(call)).collect()
    }

    #[test]
    fn ids_differ_and_have_no_slash() {
        for (given, expected) in [
            (&["a", "b"][..], &["a", "b"][..]),
            (&["a", "a", "a"], &["a", "a-2", "a-3"]),
            (&["", ""], &["call", "call-2"]),
            (&["call", ""], &["call", "call-2"]),
            (&["a", "a/b", "a_b"], &["a", "a_b", "a_b-2"]),
            (&["a", "a", "a-2"], &["a", "a-2", "a-2-2"]),
            (&["a", "a-2", "a"], &["a", "a-2", "a-3"]),
            (&["/", "/"], &["_", "_-2"]),
        ] {
            let mut content = calls(given);
            make_unique(&mut content);
            assert_eq!(content, calls(expected), "{given:?}");
            make_unique(&mut content);
            assert_eq!(content, calls(expected), "{given:?} again");
        }
    }

    #[test]
    fn many_equal_ids_take_no_longer_than_others() {
        let mut content = calls(&vec!["a"; 100_000]);
        make_unique(&mut content);
        assert_eq!(content.last(), calls(&["a-100000"]).last());
    }
}
