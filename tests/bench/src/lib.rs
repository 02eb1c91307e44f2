//! Code that measurements of hooks share.

pub mod hooks;
pub mod straight;
