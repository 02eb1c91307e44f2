//! Running one call of a component in the real host.

mod call;
mod files;
mod fixture;
mod got;
mod http;
mod model;
mod record;
mod trace;

pub use self::http::{HttpAnswer, HttpEntry, HttpScript, Pattern, SentBody};
pub(crate) use call::texts;
pub use call::{Context, Given, context, play};
pub use fixture::{Fixture, Setup};
pub(crate) use fixture::{Place, open, runtime};
pub use got::{Got, Outcome};
pub use model::ModelAnswer;
pub use record::Record;
pub use trace::Trace;
