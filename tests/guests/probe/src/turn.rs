//! The points of a turn.

use portcullis_sdk::points::{post_turn, pre_turn, turn_error, turn_stopping};
use portcullis_sdk::prelude::*;

use crate::deed::{Deed, parts, refusal};

pub fn pre() -> HookResult<pre_turn::Outcome> {
    use pre_turn::Outcome;
    let deed = Deed::at("pre-turn")?;
    Ok(match (deed.text(content::text)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
        (Some(text), Deed::Answer(_)) => Outcome::Answer(parts(text)),
        (Some(text), _) => Outcome::Transform(parts(text)),
        (None, _) => Outcome::Continue,
    })
}

pub fn post() -> HookResult<post_turn::Outcome> {
    use post_turn::Outcome;
    let deed = Deed::at("post-turn")?;
    if let Deed::Contribute(_) = deed {
        return Ok(Outcome::Contribute(deed.gifts()?.unwrap_or_default()));
    }
    Ok(match (deed.text(content::text)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
        (Some(text), _) => Outcome::Transform(parts(text)),
        (None, _) => Outcome::Continue,
    })
}

pub fn error() -> HookResult<turn_error::Outcome> {
    let deed = Deed::at("turn-error")?;
    Ok(match deed.text(String::new)? {
        Some(text) => turn_error::Outcome::Replace(parts(text)),
        None => turn_error::Outcome::Continue,
    })
}

pub fn stopping() -> HookResult<turn_stopping::Outcome> {
    let deed = Deed::at("turn-stopping")?;
    deed.tell()?;
    Ok(match deed {
        Deed::KeepGoing(text) => turn_stopping::Outcome::KeepGoing(text),
        _ => turn_stopping::Outcome::Continue,
    })
}
