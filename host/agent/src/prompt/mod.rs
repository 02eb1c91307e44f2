//! From the sections that hooks contribute to the text that goes into a model request.
//!
//! # Rules
//!
//! 1. Sections stand by their `order`, low first, and within one order as they were contributed. A
//!    section whose text is blank is left out.
//! 2. A section that is over its own `max-tokens` loses its end.
//! 3. While the whole is over the budget, sections that are not essential give way, the last in the
//!    order first: each is dropped, except that the one of which a part still fits is cut at its end
//!    instead.
//! 4. If that is not enough, the essential ones give way in the same manner, the last first.
//!
//! A cut is made between characters, at the end of a line or a word if there is one near, and leaves
//! the mark `[cut]`. A section of which not even a piece and the mark fit is dropped. Every cut and
//! every drop is on record with its reason. The text is never over the budget, and nothing is cut
//! that fits. A token is four bytes, as in what the hooks are told of the draft.

mod context_config;
mod cut;
mod preflight;
mod words;

#[cfg(test)]
mod tests;

use portcullis::contract::PromptSection;
use portcullis::prompt::Contributed;
use serde::{Deserialize, Serialize};

pub use context_config::{ContextConfig, context_config};
pub use preflight::{FallbackPreflight, Preflight, PreflightError, PreflightPlan, PreflightTurn};

/// Bytes that make a token; the same that `portcullis::prompt::section_tokens` counts by.
const BYTES_PER_TOKEN: u64 = 4;

/// What stands between two sections.
const BETWEEN: &str = "\n\n";

/// Sections as one text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiled {
    /// The text.
    pub text: String,
    /// How many sections are in it, whole or in part.
    pub sections: usize,
    /// What had to go, in the order it was decided.
    pub cuts: Vec<SectionCut>,
}

impl Compiled {
    /// How many tokens the text is.
    pub fn tokens(&self) -> u64 {
        tokens(self.text.len())
    }
}

/// A section that lost its end, or all of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionCut {
    /// The section.
    pub section: String,
    /// The hook that contributed it.
    pub by: String,
    /// How many tokens it was.
    pub tokens_before: u64,
    /// How many it is now; 0 if it was dropped.
    pub tokens_after: u64,
    /// Why.
    pub why: CutReason,
}

/// Why a section was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutReason {
    /// It was over its own `max-tokens`.
    OwnLimit,
    /// The whole was over the budget.
    Budget,
}

/// A section as it is going to stand.
struct Piece<'a> {
    from: &'a Contributed<PromptSection>,
    text: String,
}

/// Makes one text of the sections, of no more than `budget_tokens`. The [module](self) says how.
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
    for essential in [false, true] {
        for at in (0..pieces.len()).rev() {
            let over = length(&pieces).saturating_sub(budget);
            if over == 0 {
                break;
            }
            if let Some(piece) = pieces.get_mut(at)
                && piece.from.value.essential == essential
            {
                let room = piece.text.len().saturating_sub(over);
                piece.shorten(room, CutReason::Budget, &mut cuts);
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
    /// Makes it fit into so many bytes, if it does not.
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
        // On one line: a title does not start a section of its own.
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

/// How long the whole is.
fn length(pieces: &[Piece<'_>]) -> usize {
    let standing = pieces.iter().filter(|piece| !piece.text.is_empty());
    let (count, bytes) = standing.fold((0_usize, 0), |(count, bytes), piece| {
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
