//! The points of a step.

use portcullis_sdk::points::{post_step, pre_step};
use portcullis_sdk::prelude::*;

use crate::deed::{Deed, refusal, signal};

pub fn pre() -> HookResult<pre_step::Outcome> {
    use pre_step::Outcome;
    let deed = Deed::at("pre-step")?;
    let last = MessageEdit::Insert;
    Ok(match (deed.text(String::new)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (_, Deed::Stop(code)) => Outcome::Stop(signal(code)),
        (Some(text), _) => {
            Outcome::Transform(vec![last((conversation::len(), Message::user(text)))])
        }
        (None, _) => Outcome::Continue,
    })
}

pub fn post() -> HookResult<post_step::Outcome> {
    let deed = Deed::at("post-step")?;
    deed.tell()?;
    Ok(match deed {
        Deed::Stop(code) => post_step::Outcome::Stop(signal(code)),
        _ => post_step::Outcome::Continue,
    })
}
