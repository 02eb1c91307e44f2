//! Redacts secrets and personal data in the output of models and tools.
//!
//! It replaces each match with `[REDACTED:kind]` before the output is shown or enters the
//! conversation. The log has the number of matches of each kind, and no more.
//!
//! ```toml
//! # All kinds are searched for; any can be disabled.
//! [hooks.output-guardrail.config.kinds]
//! phone = false
//!
//! # Further kinds, each with a regular expression.
//! [hooks.output-guardrail.config.patterns]
//! ticket = 'ACME-\d{4,}'
//! ```
//!
//! | kind | meaning |
//! | --- | --- |
//! | `private-key` | a PEM block of a private key, to its end or the end of the text |
//! | `jwt` | a JSON web token |
//! | `aws-key` | an AWS access key id |
//! | `github-token` | a GitHub token |
//! | `api-key` | a key of OpenAI, Anthropic, Google, Slack, Stripe, GitLab, npm, Hugging Face or SendGrid |
//! | `bearer` | the token after `Bearer` |
//! | `secret` | the value of a name such as `password`, `api_key`, `token` |
//! | `url-password` | the password in an address |
//! | `webhook` | the address of a Slack or Discord webhook |
//! | `email` | an e-mail address |
//! | `credit-card` | a card number of a known length and prefix whose check digit is right |
//! | `iban` | a bank account number whose check digits are right |
//! | `ssn` | a US social security number |
//! | `national-id` | a number of a person in Spain, Italy, France, Britain, Sweden, Brazil or China, with its check digits |
//! | `phone` | an international number after `+`, one of North America's form, or one after a word such as `Tel` |
//!
//! The built-in kinds are found in one pass, in time linear in the text. Patterns of your own run one
//! after another and are more expensive: for a long list, raise the limits `fuel` and `deadline-ms`.
//!
//! Text, reasoning and tool results are redacted. A tool call's arguments are not: the tool needs
//! them. Points after an operation run from high priority to low, so with priority 10 it sees the
//! changes of nearly all other hooks.
//!
//! The kinds are those of the guards `secrets` and `pii`, which have more configuration and measured figures.
//!
//! Points: `post-llm-call`, `post-tool-call`, `post-turn`. Role: transform, so it fails closed:
//! output that it could not check is withheld. Needs the views `content` and `tool-data`.

mod config;

use config::Config;
use guards_common::parts;
use guards_common::redact::{Found, Redactor};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

static REDACTOR: Prepared<Redactor> =
    Prepared::new(|| portcullis_sdk::config::<Config>()?.redactor());

struct OutputGuardrail;

#[hook(
    id = "output-guardrail",
    kind = "guardrail",
    description = "Redacts secrets and personal data in the output of models and tools.",
    priority = 10,
    config = Config
)]
impl OutputGuardrail {
    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        Ok(match redacted_content()? {
            Some(content) => call.transform(&content),
            None => call.proceed(),
        })
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        Ok(match redacted_content()? {
            Some(content) => call.transform(&content),
            None => call.proceed(),
        })
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        let mut found = Found::default();
        let output = tool_data::output().unwrap_or_default();
        let Some(redacted) = REDACTOR.get()?.redact(&output, &mut found) else {
            return Ok(call.proceed());
        };
        warn!(tool = call.name(), %found, "redacted a tool's output");
        Ok(call.transform(redacted, call.is_error()))
    }
}

fn redacted_content() -> HookResult<Option<Vec<ContentPart>>> {
    let mut found = Found::default();
    let redacted = parts::redact(REDACTOR.get()?, content::parts(), &mut found);
    if redacted.is_some() {
        warn!(%found, "redacted content");
    }
    Ok(redacted)
}
