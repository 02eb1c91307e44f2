//! The whole host, on real components built from source.

mod agent;
mod asking;
mod isolation;
mod limits;
mod loading;
mod memory_domain;
mod merge_properties;
mod order;
mod outcomes;
mod settings;
mod views;
