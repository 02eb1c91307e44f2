//! A hook that must not run, because the operator revoked a grant that it uses.

use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::{Hook, Response};
use crate::model::points::Point;

/// A hook that fails at every call, so that its failure policy decides.
pub(crate) struct RevokedHook {
    /// The revoked grants, as written in `hooks.toml`.
    pub(crate) revoked: Vec<String>,
}

impl<P: Point> Hook<P> for RevokedHook {
    fn call<'a>(&'a self, _: &Call<P>) -> Response<'a, P> {
        Response::Ready(Err(Failure::Revoked(self.revoked.join(", "))).into())
    }
}
