//! Compiling the sections that hooks contribute into the text of a model request.
//!
//! # Rules
//!
//! 1. Sections are sorted by their `order`, low first, then as they were contributed. A section
//!    with blank text is left out.
//! 2. A section that is over its own `max-tokens` is cut at its end.
//! 3. While the whole is over the budget, sections that are not essential are dropped, the last one
//!    first. If a part of a section still fits, it is cut at its end instead.
//! 4. If that is not enough, the essential ones are dropped or cut in the same way.
//!
//! A cut is made between characters, at the end of a line or a word if one is near, and leaves the
//! mark `[cut]`. Every cut and every drop is reported with its reason. The text is never over the
//! budget, and a section that fits is never cut. A token is four bytes, as in the draft that hooks
//! get.

mod context_config;
mod cut;
mod preflight;
mod tools_policy;
mod words;

#[cfg(test)]
mod tests;

use portcullis::contract::PromptSection;
use portcullis::prompt::Contributed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use context_config::{ContextConfig, context_config};
pub use preflight::{FallbackPreflight, Preflight, PreflightError, PreflightPlan, PreflightTurn};
pub use tools_policy::ToolsPolicy;

/// Bytes per token, as in `portcullis::prompt::section_tokens`.
const BYTES_PER_TOKEN: u64 = 4;

/// The separator of two sections.
const BETWEEN: &str = "\n\n";

/// Sections as one text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiled {
    /// The text.
    pub text: String,
    /// The number of sections in it, whole or cut.
    pub sections: usize,
    /// The cuts, in the order they were made.
    pub cuts: Vec<SectionCut>,
}

impl Compiled {
    /// Returns the tokens of the text.
    pub fn tokens(&self) -> u64 {
        tokens(self.text.len())
    }
}

/// A section that was cut or dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SectionCut {
    /// The section.
    pub section: String,
    /// The hook that contributed it.
    pub by: String,
    /// Its tokens before.
    pub tokens_before: u64,
    /// Its tokens now; 0 if it was dropped.
    pub tokens_after: u64,
    /// Why.
    pub why: CutReason,
}

/// Why a section was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CutReason {
    /// It was over its own `max-tokens`.
    OwnLimit,
    /// The whole was over the budget.
    Budget,
}

/// The kept part of a section.
struct Piece<'a> {
    from: &'a Contributed<PromptSection>,
    text: String,
}

/// Compiles the sections into one text of at most `budget_tokens`, by the rules of the
/// [module](self).
pub fn compile(sections: &[Contributed<PromptSection>], budget_tokens: u64) -> Compiled {
    let mut cuts = Vec::new();
    let mut pieces: Vec<Piece<'_>> = sections
        .iter()
        .filter(|from| !from.value.text.trim().is_empty())
        .map(|from| Piece {
            text: rendered(&from.value),
            from,
        })
        .collect();
    pieces.sort_by_key(|piece| piece.from.value.order);
    for piece in &mut pieces {
        if let Some(limit) = piece.from.value.max_tokens {
            piece.shorten(bytes(u64::from(limit)), CutReason::OwnLimit, &mut cuts);
        }
    }
    let budget = bytes(budget_tokens);
    let mut whole = length(&pieces);
    for essential in [false, true] {
        for piece in pieces.iter_mut().rev() {
            let over = whole.saturating_sub(budget);
            if over == 0 {
                break;
            }
            if piece.from.value.essential == essential {
                let before = piece.text.len();
                piece.shorten(before.saturating_sub(over), CutReason::Budget, &mut cuts);
                whole -= before - piece.text.len();
                if before > 0 && piece.text.is_empty() {
                    whole = whole.saturating_sub(BETWEEN.len());
                }
            }
        }
    }
    pieces.retain(|piece| !piece.text.is_empty());
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    Compiled {
        text: texts.join(BETWEEN),
        sections: texts.len(),
        cuts,
    }
}

impl Piece<'_> {
    /// Cuts or drops it if it has more than `room` bytes.
    fn shorten(&mut self, room: usize, why: CutReason, cuts: &mut Vec<SectionCut>) {
        let before = self.text.len();
        if before <= room {
            return;
        }
        let heading = heading(&self.from.value).len();
        self.text = cut::end(&self.text, heading, room).unwrap_or_default();
        cuts.push(SectionCut {
            section: self.from.value.id.clone(),
            by: self.from.by.to_string(),
            tokens_before: tokens(before),
            tokens_after: tokens(self.text.len()),
            why,
        });
    }
}

fn heading(section: &PromptSection) -> String {
    match section.title.as_deref().map(str::trim) {
        // As one line, so that a title cannot contain other headings.
        Some(title) if !title.is_empty() => {
            let words: Vec<&str> = title.split_whitespace().collect();
            format!("## {}\n", words.join(" "))
        }
        _ => String::new(),
    }
}

fn rendered(section: &PromptSection) -> String {
    format!("{}{}", heading(section), section.text.trim_end())
}

/// Returns the length of the whole text.
fn length(pieces: &[Piece<'_>]) -> usize {
    let nonempty = pieces.iter().filter(|piece| !piece.text.is_empty());
    let (count, bytes) = nonempty.fold((0_usize, 0), |(count, bytes), piece| {
        (count + 1, bytes + piece.text.len())
    });
    bytes + count.saturating_sub(1) * BETWEEN.len()
}

fn bytes(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(BYTES_PER_TOKEN)).unwrap_or(usize::MAX)
}

fn tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(BYTES_PER_TOKEN)
}
