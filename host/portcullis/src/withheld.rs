//! A hook that must not run, since the operator took back what it uses.

use crate::call::Call;
use crate::failure::Failure;
use crate::hook::{Hook, Reply};
use crate::points::Point;

/// A hook that fails at every call, so that its failure policy decides.
pub(crate) struct Withheld {
    /// What was taken back, as `hooks.toml` writes it.
    pub(crate) revoked: Vec<String>,
}

impl<P: Point> Hook<P> for Withheld {
    fn call<'a>(&'a self, _: &'a Call<P>) -> Reply<'a, P> {
        Reply::Now(Err(Failure::Revoked(self.revoked.join(", "))).into())
    }
}
