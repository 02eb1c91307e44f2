//! A hook that lets its secret `KEY` slip wherever the user says.

use portcullis_sdk::prelude::*;

/// The keyholder.
pub struct Keyholder;

#[hook(
    id = "keyholder",
    description = "Says its secret where the user asks for it.",
    kind = "test",
    role = transform
)]
impl Keyholder {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        let key = secrets::get("KEY").ok_or_else(|| Error::failed("no KEY"))?;
        match content::text().as_str() {
            "log" => info!(key = %key, "the key is {key}"),
            "event" => events::emit(&key, &[&key])?,
            "fail" => {
                // So long that a cut for the screen goes through the secret.
                let filler = "x".repeat(1_998);
                return Err(Error::failed(format_args!("{key} {filler}{key}")));
            }
            "reject" => return Ok(pre_turn::Outcome::reject("said", format!("it is {key}"))),
            "other" => {
                let other = secrets::get("OTHER").is_some();
                return Ok(pre_turn::Outcome::reject("other", other.to_string()));
            }
            "use" => {
                let parts = vec![ContentPart::Text(key)];
                return Ok(pre_turn::Outcome::Transform(parts));
            }
            _ => {}
        }
        Ok(pre_turn::Outcome::Continue)
    }
}
