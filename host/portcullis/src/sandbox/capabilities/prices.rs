//! What a handle costs: the host's memory behind it, which no limit of the guest's own memory counts.
//!
//! Prices are what a resource can hold at most, so that a guest gains nothing by filling it. They are
//! charged to the instance's `memory-bytes` by [`Growth`](crate::sandbox::store::Growth).

use std::any::Any;

use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable};

/// Something that holds nothing but itself: a pollable, an error, an end of an inert stream.
const SMALL: usize = 1 << 10;
/// Something that can hold a piece of a body or of a file, and its task: 64 KiB, and as much under way.
const LARGE: usize = 128 << 10;
/// An open file: of those a process has few, and the kernel's memory for each is its own.
const FILE: usize = 1 << 20;

/// What handles cost an instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// A stream: of a file, of a body, or inert, whatever the instance can have.
    stream: usize,
    /// Anything that is not known to be small.
    other: usize,
}

impl Prices {
    /// The prices for an instance that has directories or not, and for its headers where it can make
    /// requests.
    pub(super) fn new(directories: bool, headers: Option<usize>) -> Self {
        // A request and its response have headers of their own, and a path.
        let other = LARGE.saturating_add(headers.unwrap_or_default().saturating_mul(2));
        Self {
            stream: match (directories, headers) {
                (true, _) => FILE,
                (false, Some(_)) => LARGE,
                (false, None) => SMALL,
            },
            other,
        }
    }

    /// What a resource costs. One that is not known may be anything.
    pub(super) fn of(self, resource: &(dyn Any + Send)) -> usize {
        if resource.is::<DynPollable>()
            || resource.is::<wasmtime::Error>()
            || super::http::is_small(resource)
        {
            return SMALL;
        }
        if resource.is::<DynInputStream>() || resource.is::<DynOutputStream>() {
            return self.stream;
        }
        match resource.is::<Descriptor>() || super::directories::is_listing(resource) {
            true => FILE,
            false => self.other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_cheap() {
        struct Unknown;
        let prices = Prices::new(false, Some(16 << 10));
        assert_eq!(prices.of(&Unknown), LARGE + (32 << 10));
        assert_eq!(Prices::new(true, None).of(&Unknown), LARGE);
        assert_eq!(prices.of(&wasmtime::Error::msg("an error")), SMALL);
    }
}
