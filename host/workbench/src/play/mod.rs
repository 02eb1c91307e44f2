//! Running one call of a component in the real host.

mod call;
mod got;
mod record;
mod rig;

pub(crate) use call::texts;
pub use call::{Context, Given, context, play};
pub use got::{Got, Outcome};
pub use record::Record;
pub(crate) use rig::{Place, open, runtime};
pub use rig::{Rig, Setup};
