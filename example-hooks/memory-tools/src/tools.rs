//! The tools: their descriptions for the model, and their answers.

use memory_store::store::Kept;
use memory_store::{Memory, Policy, score};
use portcullis_sdk::types::{BundledTool, ToolBundle, ToolRoute, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

/// The tool that searches.
pub const SEARCH: &str = "memory_search";
/// The tool that saves.
pub const SAVE: &str = "memory_save";

/// The most memories that a search returns if it sets no limit.
const USUAL: usize = 5;
/// The most memories that a search returns.
const MOST: usize = 20;
/// The most tokens that a search returns.
const MOST_TOKENS: u64 = 1_000;

/// The arguments of a search.
#[derive(Debug, Deserialize)]
pub struct Search {
    query: String,
    limit: Option<usize>,
}

/// The arguments of a call that saves.
#[derive(Debug, Deserialize)]
pub struct Save {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// Returns the tools that the policy allows, or `None` if it allows none.
pub fn bundle(policy: &Policy) -> Option<ToolBundle> {
    let search = policy.read.then(|| {
        tool(
            SEARCH,
            "Searches what is known of the user from earlier conversations.",
            &json!({
                "type": "object",
                "properties": {
                    "query": { "type": "string", "description": "The words to look for." },
                    "limit": { "type": "integer", "minimum": 1, "maximum": MOST }
                },
                "required": ["query"],
                "additionalProperties": false
            }),
        )
    });
    let save = policy.write.then(|| {
        tool(
            SAVE,
            "Remembers one fact about the user for later conversations. Save what the user would \
             want you to know again, in one sentence, and no secrets.",
            &json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string", "minLength": 1, "maxLength": 500 },
                    "tags": {
                        "type": "array", "maxItems": 8,
                        "items": { "type": "string", "maxLength": 40 },
                        "description": "Words that the user may name it by."
                    }
                },
                "required": ["text"],
                "additionalProperties": false
            }),
        )
    });
    let tools: Vec<BundledTool> = search.into_iter().chain(save).collect();
    (!tools.is_empty()).then(|| ToolBundle {
        name: "memory".into(),
        tools,
    })
}

fn tool(name: &str, description: &str, schema: &Value) -> BundledTool {
    BundledTool {
        spec: ToolSpec {
            name: name.into(),
            description: description.into(),
            schema: schema.to_string(),
        },
        route: ToolRoute::Hook,
    }
}

/// The tool's result for the model.
pub struct Answer {
    pub content: String,
    pub is_error: bool,
}

fn answer(content: impl Into<String>, is_error: bool) -> Answer {
    Answer {
        content: content.into(),
        is_error,
    }
}

/// Returns the answer to a call that the turn's policy forbids.
pub fn refused(what: &str) -> Answer {
    answer(
        format!("Memory is not to be {what} in this turn: the user does not want it."),
        true,
    )
}

/// Returns the answer to a search.
pub fn found(memories: &[Memory], search: &Search) -> Answer {
    let ranked = score::rank(memories, std::slice::from_ref(&search.query));
    let limit = search.limit.unwrap_or(USUAL).min(MOST);
    let lines: Vec<String> = score::take(ranked, limit, MOST_TOKENS)
        .into_iter()
        .map(|memory| match memory.tags.is_empty() {
            true => format!("- {}", memory.text),
            false => format!("- {} [{}]", memory.text, memory.tags.join(", ")),
        })
        .collect();
    match lines.is_empty() {
        true => answer("Nothing is remembered of that.", false),
        false => answer(lines.join("\n"), false),
    }
}

/// Returns the memory to save, or `None` if its text is empty.
pub fn memory(save: &Save) -> Option<Memory> {
    let memory = Memory::new(None, &save.text).tagged(&save.tags);
    (!memory.text.is_empty()).then_some(memory)
}

/// Returns the answer to a call that saves an empty text.
pub fn nothing_said() -> Answer {
    answer("There is nothing to remember in that.", true)
}

/// Returns the answer to a call that saves.
pub fn kept(kept: Kept) -> Answer {
    match kept {
        Kept::Stored => answer("Saved.", false),
        Kept::Unchanged => answer("That is known already.", false),
        Kept::NoRoom => answer("The memory is full; nothing was saved.", true),
    }
}

#[cfg(test)]
mod tests {
    use memory_store::{Memory, Policy};

    use super::{Save, Search, bundle, found, memory};

    #[test]
    fn the_policy_decides_which_tools_there_are() {
        for (read, write, expected) in [
            (true, true, &["memory_search", "memory_save"][..]),
            (true, false, &["memory_search"]),
            (false, true, &["memory_save"]),
            (false, false, &[]),
        ] {
            let bundle = bundle(&Policy { read, write });
            let tools = bundle.map_or_else(Vec::new, |bundle| bundle.tools);
            let names: Vec<&str> = tools.iter().map(|tool| tool.spec.name.as_str()).collect();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn a_search_gives_lines() {
        let memories = [
            Memory::new(None, "The dog is called Rex.").tagged(["pets"]),
            Memory::new(None, "The dog eats at six."),
        ];
        let look = |query: &str, limit| {
            let query = query.to_owned();
            found(&memories, &Search { query, limit }).content
        };
        assert!(look("dog", None).contains("- The dog is called Rex. [pets]"));
        assert_eq!(look("dog", Some(1)).lines().count(), 1);
        assert_eq!(look("cat", None), "Nothing is remembered of that.");
    }

    #[test]
    fn what_says_nothing_is_not_saved() {
        let save = |text: &str| Save {
            text: text.into(),
            tags: Vec::new(),
        };
        assert!(memory(&save(" \n")).is_none());
        assert_eq!(
            memory(&save("a\nb")).map(|m| m.text).as_deref(),
            Some("a b")
        );
    }
}
