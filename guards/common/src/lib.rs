//! The common code of the guards and of some example hooks.

pub mod decoded;
pub mod entropy;
pub mod find;
pub mod json;
pub mod names;
pub mod parts;
pub mod paths;
pub mod prices;
pub mod redact;
pub mod rules;
pub mod schema;
pub mod surfaces;
