//! The price of a handle: the host's memory for it, which no limit on the guest's own memory
//! counts.
//!
//! Prices are the most that a resource can hold, so that a guest gains nothing by filling it. They
//! are charged to the instance's `memory-bytes` by [`Growth`](crate::sandbox::store::Growth).

use std::any::Any;

use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable};

/// The price of a resource that contains no other data: a pollable, an error, an end of an inert
/// stream.
const SMALL: usize = 1 << 10;
/// The price of a resource that can hold a piece of a body or of a file, and its task: 64 KiB, and
/// as much in flight.
const LARGE: usize = 128 << 10;
/// The price of an open file: a process may have few, and the kernel has memory of its own for
/// each.
const FILE: usize = 1 << 20;

/// The prices of an instance's handles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// The price of a stream of any kind that the instance can have: of a file, of a body, or
    /// inert.
    stream: usize,
    /// The price of a resource not known to be small.
    other: usize,
}

impl Prices {
    /// Returns the prices for an instance with or without directories, and for its headers if it
    /// can make requests.
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

    /// Returns the price of a resource. An unknown one may be anything.
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
