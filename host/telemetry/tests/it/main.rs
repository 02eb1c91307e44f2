//! Telemetry of real sessions, taken by a receiver that is made of the protocol's own crates.

mod agents;
mod loss;
mod metrics;
mod prometheus;
mod propagation;
mod resume;
mod spans;
