//! The ways to fail.

use portcullis_sdk::schemars::{self, JsonSchema};
use std::hint::black_box;

use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

/// The operator's table.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Which call fails, counted from 1.
    fail_on: u32,
    /// What the call does.
    pub how: How,
}

/// What the failing call does.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Traps.
    Panic,
    /// Never ends.
    Loop,
    /// Allocates forever.
    Alloc,
    /// Returns an error.
    Error,
    /// Refuses the response.
    Reject,
}

impl Config {
    /// The table, if it makes sense.
    pub fn checked(self) -> HookResult<Self> {
        match self.fail_on {
            0 => Err(Error::bad_config("`fail_on`: calls are counted from 1")),
            _ => Ok(self),
        }
    }

    /// Whether this call fails.
    pub fn fails(&self, call: u32) -> bool {
        call == self.fail_on
    }
}

/// Spins. `black_box` keeps the optimiser from finding that nothing happens.
pub fn run_forever() -> ! {
    let mut round = 0_u64;
    loop {
        round = black_box(round).wrapping_add(1);
    }
}

/// Takes a megabyte at a time until it is refused one.
pub fn allocate_forever() -> ! {
    let mut taken = Vec::new();
    loop {
        taken.push(black_box(vec![1_u8; 1 << 20]));
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, How};
    use portcullis_sdk::{Error, HookResult, config};

    fn read(table: &str) -> HookResult<Config> {
        config::from_json::<Config>(table)?.checked()
    }

    #[test]
    fn one_call_fails() {
        let config = read(r#"{"fail_on": 2, "how": "alloc"}"#).expect("a table");
        assert_eq!(config.how, How::Alloc);
        assert_eq!(
            [1, 2, 3].map(|call| config.fails(call)),
            [false, true, false]
        );
    }

    #[test]
    fn there_is_no_call_zero() {
        let fault = read(r#"{"fail_on": 0, "how": "loop"}"#);
        assert_eq!(
            fault.err(),
            Some(Error::bad_config("`fail_on`: calls are counted from 1"))
        );
    }
}
