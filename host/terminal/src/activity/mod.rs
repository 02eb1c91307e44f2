//! The activity of hooks and the agent, for people and for machines.

mod excerpt;
mod happened;
mod marks;
mod places;
mod record;
mod rows;
mod tally;
mod turn;

pub use excerpt::arguments;
pub use happened::happened;
pub use marks::{Mark, ended, is_quiet, word};
pub use places::Places;
pub use record::RunRecord;
pub use rows::{Detail, nodes, retry};
pub use tally::Tally;
pub use turn::{End, TurnLog};
