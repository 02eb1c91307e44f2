//! A hook that sets the instructions and the response format of every turn (Cognesy's
//! `ApplyContextConfig`).

use portcullis::NativeHook;
use portcullis::points::PromptCompile;
use portcullis::points::prompt_compile::{Outcome, PromptEdit, ResponseFormat};

/// The hook runs before hooks with the default priority, so that they can override it.
const PRIORITY: i32 = -100;

/// The settings of [`context_config`]. An empty field changes nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContextConfig {
    /// The instructions that replace the operator's.
    pub system: Option<String>,
    /// The format of the answer. A schema without text is empty.
    pub response_format: Option<ResponseFormat>,
}

/// Returns a hook that sets the instructions and the response format of every turn, at
/// `prompt-compile`. Its id is `context-config`, its priority -100.
///
/// ```
/// use portcullis::Hooks;
/// use portcullis_agent::{ContextConfig, context_config};
///
/// let hooks = Hooks::none().with([context_config(ContextConfig {
///     system: Some("Answer in rhymes.".into()),
///     ..ContextConfig::default()
/// })])?;
/// # Ok::<(), portcullis::hooks::LoadErrors>(())
/// ```
pub fn context_config(config: ContextConfig) -> NativeHook {
    let outcome = outcome(config);
    NativeHook::new("context-config")
        .description("Sets the instructions and the response format of every turn.")
        .priority(PRIORITY)
        .on::<PromptCompile>(move |_| Ok(outcome.clone()))
}

fn outcome(config: ContextConfig) -> Outcome {
    let edit = PromptEdit {
        system: config.system.filter(|system| !system.trim().is_empty()),
        response_format: config.response_format.filter(|format| match format {
            ResponseFormat::Schema(named) => !named.schema.trim().is_empty(),
            ResponseFormat::Json | ResponseFormat::Text => true,
        }),
        sections: None,
    };
    if edit.system.is_none() && edit.response_format.is_none() {
        Outcome::Continue
    } else {
        Outcome::Transform(edit)
    }
}

#[cfg(test)]
mod tests {
    use portcullis::points::prompt_compile::NamedSchema;

    use super::*;

    #[test]
    fn empty_fields_change_nothing() {
        let schema = |schema: &str| {
            Some(ResponseFormat::Schema(NamedSchema {
                name: "n".into(),
                schema: schema.into(),
            }))
        };
        for (name, system, response_format, sets) in [
            ("nothing", None, None, false),
            ("empty instructions", Some(" "), None, false),
            ("an empty schema", None, schema(""), false),
            ("instructions", Some("Be brief."), None, true),
            ("a schema", Some(""), schema("{}"), true),
            ("JSON", None, Some(ResponseFormat::Json), true),
        ] {
            let config = ContextConfig {
                system: system.map(str::to_owned),
                response_format,
            };
            let transforms = matches!(outcome(config), Outcome::Transform(_));
            assert_eq!(transforms, sets, "{name}");
        }
    }
}
