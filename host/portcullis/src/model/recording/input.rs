//! The data of a call at any point.

use std::sync::Arc;

use crate::contract::Context;
use crate::model::call::{Call, CallData, Views};
use crate::model::points::{Point, PointId};
use crate::model::verdict::Digest;

/// The data of a call at any point.
pub(crate) trait AnyInput: Send + Sync {
    fn point(&self) -> PointId;
    fn context(&self) -> &Context;
    fn views(&self) -> &Views;
    fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()>;
    fn payload(self: Arc<Self>) -> serde_json::Result<Vec<u8>>;
    /// Returns the payload's digest.
    fn digest(self: Arc<Self>) -> Digest;
}

impl<P: Point> AnyInput for CallData<P> {
    fn point(&self) -> PointId {
        P::ID
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn views(&self) -> &Views {
        &self.views
    }

    fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(into, &self.subject)
    }

    fn payload(self: Arc<Self>) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&P::payload(&Call::of(self)))
    }

    fn digest(self: Arc<Self>) -> Digest {
        Digest::of_payload(&P::payload(&Call::of(self)))
    }
}
