//! Which requests over TCP are taken.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use portcullis_access::Access;

use crate::api::Failed;

/// Refuses a request that may be a browser's, or has no token.
pub(crate) async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    match access.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => Failed::new(refused.status(), refused.to_string()).into_response(),
    }
}
