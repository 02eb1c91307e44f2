//! What every room uses: text, tokens, stop reasons, outputs of tools, units of the contract, usage.

pub(crate) mod output;
pub(crate) mod stop_reason;
pub(crate) mod text;
pub(crate) mod tokens;
pub(crate) mod units;
pub(crate) mod usage;
