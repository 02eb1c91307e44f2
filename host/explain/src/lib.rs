//! What the hooks did in a session: which ran, in which order, who changed what, why something was refused, and what
//! did not run and why.
//!
//! A journal has hook runs and the agent's events, each by itself. [`Explanation::of`] puts them together by turn,
//! step and tool call, and links each effect to the run that caused it. [`page()`] makes one HTML file of it, and
//! [`parts`] what a page shows that changes while the session runs.
//!
//! The modules import only those above them:
//!
//! | module | what it is |
//! | --- | --- |
//! | `model` | the explanation |
//! | `diff` | how two texts differ |
//! | `build` | from a journal's records to it |
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
