//! Values made from the configuration once.

use std::fmt::{self, Debug, Formatter};
use std::sync::OnceLock;

use crate::HookResult;

/// A value that is made from the configuration at the first call and kept for later calls, as long
/// as the instance lives. A failure is not kept.
///
/// ```no_run
/// # use portcullis_sdk::prelude::*;
/// use portcullis_sdk::config::Prepared;
///
/// static WORDS: Prepared<Vec<String>> = Prepared::new(config);
///
/// # fn main() -> HookResult<()> {
/// let blocked = WORDS.get()?.contains(&content::text());
/// # Ok(())
/// # }
/// ```
pub struct Prepared<T> {
    make: fn() -> HookResult<T>,
    made: OnceLock<T>,
}

impl<T> Prepared<T> {
    /// Creates one without a value; `make` makes the value at the first read.
    pub const fn new(make: fn() -> HookResult<T>) -> Self {
        Self {
            make,
            made: OnceLock::new(),
        }
    }

    /// Returns the value, and makes it first if there is none.
    ///
    /// # Errors
    ///
    /// The errors of `make`.
    pub fn get(&self) -> HookResult<&T> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let made = (self.make)()?;
        Ok(self.made.get_or_init(|| made))
    }
}

impl<T: Debug> Debug for Prepared<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Prepared").field(&self.made.get()).finish()
    }
}
