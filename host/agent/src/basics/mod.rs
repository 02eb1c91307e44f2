//! What every room uses: text, tokens, units of the contract, SQLite files.

pub(crate) mod database;
pub(crate) mod text;
pub(crate) mod tokens;
pub(crate) mod units;
