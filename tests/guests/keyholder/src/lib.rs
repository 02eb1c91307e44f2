//! A hook that leaks its secret `KEY` in the way that the user names.

use portcullis_sdk::prelude::*;

/// The keyholder.
pub struct Keyholder;

#[hook(
    id = "keyholder",
    description = "Says its secret where the user asks for it.",
    kind = "test"
)]
impl Keyholder {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let key = secrets::get("KEY").ok_or_else(|| Error::failed("no KEY"))?;
        match content::text().as_str() {
            "log" => info!(key = %key, "the key is {key}"),
            "event" => events::emit(&key, &[&key])?,
            "fail" => {
                // Long enough that a cut for the screen is within the secret.
                let filler = "x".repeat(1_998);
                return Err(Error::failed(format_args!("{key} {filler}{key}")));
            }
            "reject" => return Ok(call.reject("said", format!("it is {key}"))),
            "other" => {
                let other = secrets::get("OTHER").is_some();
                return Ok(call.reject("other", other.to_string()));
            }
            "use" => return Ok(call.transform_text(key)),
            _ => {}
        }
        Ok(call.proceed())
    }
}
