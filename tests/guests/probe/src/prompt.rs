//! The points at which the prompt is put together.

use portcullis_sdk::points::{
    prompt_compile, prompt_context, prompt_policy, prompt_recall, prompt_tools,
};
use portcullis_sdk::prelude::HookResult;

use crate::deed::Deed;

macro_rules! contributing {
    ($($point:ident at $name:literal)*) => {
        $(pub fn $point() -> HookResult<$point::Outcome> {
            Ok(match Deed::at($name)?.gifts()? {
                Some(gifts) => $point::Outcome::Contribute(gifts),
                None => $point::Outcome::Continue,
            })
        })*
    };
}
contributing! {
    prompt_policy at "prompt-policy"
    prompt_context at "prompt-context"
    prompt_recall at "prompt-recall"
    prompt_tools at "prompt-tools"
}

pub fn prompt_compile() -> HookResult<prompt_compile::Outcome> {
    use prompt_compile::{Outcome, PromptEdit};
    let deed = Deed::at("prompt-compile")?;
    if let Deed::Transform(text) = deed {
        return Ok(Outcome::Transform(PromptEdit {
            system: Some(text),
            response_format: None,
            sections: None,
        }));
    }
    Ok(match deed.gifts()? {
        Some(gifts) => Outcome::Contribute(gifts),
        None => Outcome::Continue,
    })
}
