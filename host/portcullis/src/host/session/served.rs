//! Which points hooks serve, to be asked at every step of an agent.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::chain::Chains;
use crate::model::points::{Point, PointId, for_each_point};

const _: () = assert!(PointId::ALL.len() <= u64::BITS as usize);

/// The points that hooks serve, a bit for each.
pub(super) struct Served(AtomicU64);

const fn bit(point: PointId) -> u64 {
    1 << point as u32
}

macro_rules! define_served {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// The bits of the points whose chains have hooks.
        fn bits(chains: &Chains) -> u64 {
            [$((PointId::$point, chains.$module.is_empty())),*]
                .into_iter()
                .filter(|(_, empty)| !empty)
                .fold(0, |bits, (point, _)| bits | bit(point))
        }
    };
}
for_each_point!(define_served);

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
