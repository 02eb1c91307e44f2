//! The set of served points, queried at every step of an agent.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::chain::chains::Chains;
use crate::model::points::{Point, PointId};

const _: () = assert!(PointId::ALL.len() <= u64::BITS as usize);

/// The points that hooks serve, one bit each.
pub(super) struct Served(AtomicU64);

const fn bit(point: PointId) -> u64 {
    1 << point as u32
}

/// Returns the bits of the points that have chains.
fn bits(chains: &Chains) -> u64 {
    chains.points().fold(0, |bits, point| bits | bit(point))
}

impl Served {
    pub(super) fn by(chains: &Chains) -> Self {
        Self(AtomicU64::new(bits(chains)))
    }

    pub(super) fn put(&self, chains: &Chains) {
        self.0.store(bits(chains), Ordering::Release);
    }

    #[inline]
    pub(super) fn has<P: Point>(&self) -> bool {
        self.0.load(Ordering::Acquire) & bit(P::ID) != 0
    }
}
