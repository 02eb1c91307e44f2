//! The test harness: rows, the hooks under test, and the agent that they run on.

mod actor;
mod answer;
mod effects;
mod model;
mod native;
mod play;
mod props;
mod row;
mod said;
mod script;
mod stage;
mod tool;
mod trail;

pub use actor::{ACTOR, Actor, KINDS, Kind, load, try_load};
pub use answer::{
    Answer, Does, ask, at, content, contribute, does, output, reject, retry, stop, text,
};
pub use model::{calls, calls_all, fails, hands, says, says_at_length};
pub use play::play;
pub use row::{Meanwhile, Row, row};
pub use tool::spec;
