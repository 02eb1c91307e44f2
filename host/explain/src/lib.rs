//! The hooks' effects in a session: the hooks that ran, their order, the changes, the reasons for
//! refusals, and the hooks that did not run, with the reason.
//!
//! A journal has hook runs and the agent's events, each by itself. [`Explanation::of`] joins them
//! by turn, step and tool call, and links each effect to the run that caused it. [`page()`] makes
//! one HTML file of an explanation, and [`parts`] the parts of a page that change while the session
//! runs.
//!
//! The modules import only those above them:
//!
//! | module | contents |
//! | --- | --- |
//! | `model` | the explanation |
//! | `diff` | the difference between two texts |
//! | `build` | building an explanation from a journal's records |
//! | `record` | a journal in memory |
//! | `page` | one HTML file |

mod build;
mod diff;
mod model;
mod page;
mod record;

pub use build::Records;
pub use diff::{ChangeTag, TextDiff};
pub use model::{
    Chain, Explanation, Item, ModelCall, Note, Run, Step, ToolCall, Totals, Turn, TurnEnd,
    TurnState, WaitsFor,
};
pub use page::{Document, Part, page, parts};
pub use record::MemoryJournal;
