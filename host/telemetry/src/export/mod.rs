//! Sending signals to a collector.

mod client;
mod queue;

pub(crate) use client::Client;
pub(crate) use queue::{Counts, Queue};
