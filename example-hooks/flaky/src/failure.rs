//! The ways to fail.

use portcullis_sdk::schemars::{self, JsonSchema};
use std::hint::black_box;

use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

/// The operator's table.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The number of the call that fails, counted from 1.
    fail_on: u32,
    /// The way in which that call fails.
    pub how: How,
}

/// The ways in which a call fails.
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
    /// Returns the table if its values are valid.
    pub fn checked(self) -> HookResult<Self> {
        match self.fail_on {
            0 => Err(Error::bad_config("`fail_on`: calls are counted from 1")),
            _ => Ok(self),
        }
    }

    /// Returns whether the call with this number fails.
    pub fn fails(&self, call: u32) -> bool {
        call == self.fail_on
    }
}

/// Loops forever. `black_box` keeps the optimiser from removing the loop.
pub fn run_forever() -> ! {
    let mut round = 0_u64;
    loop {
        round = black_box(round).wrapping_add(1);
    }
}

/// Allocates a megabyte at a time until an allocation fails.
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
