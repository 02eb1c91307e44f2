//! A hook's changes, field by field.

use std::time::Duration;

use maud::{Markup, html};
use portcullis_agent::FieldChange;

use super::text::plain;
use crate::diff::{ChangeTag, TextDiff};

/// The time for comparing two texts. The part not compared by then counts as changed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Returns the fields, each with its words before and after.
pub(super) fn changes(changes: &[FieldChange]) -> Markup {
    html! {
        @for change in changes {
            div.change {
                code.path { (plain(change.name())) }
                (sides(change))
            }
        }
    }
}

fn sides(change: &FieldChange) -> Markup {
    let (before, after) = (
        change.before.as_deref().map(plain),
        change.after.as_deref().map(plain),
    );
    let (Some(before), Some(after)) = (&before, &after) else {
        return html! {
            @if let Some(before) = before { pre.before { del { (before) } } }
            @if let Some(after) = after { pre.after { ins { (after) } } }
        };
    };
    let diff = TextDiff::words(before, after, PATIENCE);
    let words: Vec<_> = diff.changes().collect();
    html! {
        pre.before {
            @for (tag, word) in &words {
                @match tag {
                    ChangeTag::Equal => (word),
                    ChangeTag::Delete => del { (word) },
                    ChangeTag::Insert => "",
                }
            }
        }
        pre.after {
            @for (tag, word) in &words {
                @match tag {
                    ChangeTag::Equal => (word),
                    ChangeTag::Insert => ins { (word) },
                    ChangeTag::Delete => "",
                }
            }
        }
    }
}
