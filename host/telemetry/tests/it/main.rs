//! The telemetry of real sessions, received by a test receiver that is made of the protocol's own crates, by a real
//! collector and by a real Prometheus.

mod agents;
mod loss;
mod metrics;
mod prometheus;
mod propagation;
mod resume;
mod rotel;
mod spans;
