//! What measurements of hooks share.

pub mod straight;
