//! A hook that must not run, since the operator took back what it uses.

use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::{Hook, Response};
use crate::model::points::Point;

/// A hook that fails at every call, so that its failure policy decides.
pub(crate) struct RevokedHook {
    /// What was taken back, as `hooks.toml` writes it.
    pub(crate) revoked: Vec<String>,
}

impl<P: Point> Hook<P> for RevokedHook {
    fn call<'a>(&'a self, _: &'a Call<P>) -> Response<'a, P> {
        Response::Ready(Err(Failure::Revoked(self.revoked.join(", "))).into())
    }
}
