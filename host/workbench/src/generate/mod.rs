//! Valid input for any point, generated from its types. New points need no change here.

mod facts;
mod input;
mod shape;
mod value;
mod views;

pub(crate) use facts::facts;
pub(crate) use input::ordinary_input;
pub use input::{Given, given};
pub use shape::{Number, Shape, Text};
