//! Running one call of a component in the real host.

mod call;
mod got;
mod record;
mod rig;

pub use call::{Context, Given, context, play};
pub(crate) use call::texts;
pub use got::{Got, Outcome};
pub use record::Record;
pub use rig::{Rig, Setup};
pub(crate) use rig::{Place, open, runtime};
