//! What the probe contributes: `KIND …`, and more of them behind `; `.
//!
//! ```text
//! policy DOMAIN JSON · context KIND TEXT · section ID TEXT · tool NAME · note CODE · job NAME
//! ```

use portcullis_sdk::points::{
    post_turn, prompt_compile, prompt_context, prompt_policy, prompt_recall, prompt_tools,
};
use portcullis_sdk::prelude::*;

/// A contribution to some point.
pub enum Any {
    Policy(DomainPolicy),
    Context(ContextItem),
    Section(PromptSection),
    Tools(ToolBundle),
    Note(AuditNote),
    Job(BackgroundJob),
}

/// What can be contributed at a point.
pub trait Gift: Sized {
    /// The contribution, if it is one of this point's.
    fn of(any: Any) -> Option<Self>;
}

macro_rules! gifts {
    ($($point:ident: $($case:ident)*;)*) => {
        $(impl Gift for $point::Contribution {
            fn of(any: Any) -> Option<Self> {
                match any {
                    $(Any::$case(it) => Some(Self::$case(it)),)*
                    _ => None,
                }
            }
        })*
    };
}
gifts! {
    prompt_policy: Policy Note Job;
    prompt_context: Context Note Job;
    prompt_recall: Context Note Job;
    prompt_tools: Tools Note Job;
    prompt_compile: Section Note Job;
    post_turn: Note Job;
}

/// All that is said.
pub fn all<C: Gift>(said: &str) -> HookResult<Vec<C>> {
    said.split("; ").map(one).collect()
}

fn one<C: Gift>(said: &str) -> HookResult<C> {
    let (kind, rest) = said.split_once(' ').unwrap_or((said, ""));
    let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let (name, text) = (name.to_owned(), text.to_owned());
    let any = match kind {
        "policy" => Any::Policy(DomainPolicy {
            domain: name,
            rules: text,
        }),
        "context" => Any::Context(ContextItem {
            kind: name,
            text,
            data: None,
        }),
        "section" => Any::Section(PromptSection {
            id: name,
            title: None,
            text,
            order: 0,
            max_tokens: None,
            essential: false,
        }),
        "tool" => Any::Tools(ToolBundle {
            name: "probe-tools".into(),
            tools: vec![BundledTool {
                spec: ToolSpec {
                    name,
                    description: "A tool of the probe's.".into(),
                    schema: r#"{"type":"object"}"#.into(),
                },
                route: ToolRoute::Hook,
            }],
        }),
        "note" => Any::Note(AuditNote {
            code: name,
            data: "true".into(),
        }),
        "job" => Any::Job(BackgroundJob {
            name,
            input: "{}".into(),
        }),
        other => return Err(Error::bad_config(format!("no contribution `{other}`"))),
    };
    C::of(any).ok_or_else(|| Error::bad_config(format!("no `{kind}` can be contributed here")))
}
