//! Values made from the configuration once.

use std::fmt::{self, Debug, Formatter};
use std::sync::OnceLock;

use crate::HookResult;

/// Something made from the configuration at the first call and kept for the later ones, as long
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
    /// Nothing yet; `make` makes it.
    pub const fn new(make: fn() -> HookResult<T>) -> Self {
        Self {
            make,
            made: OnceLock::new(),
        }
    }

    /// The value, made now if it has not been.
    ///
    /// # Errors
    ///
    /// Those of `make`.
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
