//! The whole host, on real components built from source.

mod agent;
mod asking;
mod contributions;
mod detached;
mod directories;
mod integrity;
mod isolation;
mod limits;
mod loading;
mod memory_domain;
mod merge_properties;
mod native;
mod order;
mod order_properties;
mod outcome_table;
mod outcomes;
mod pending;
mod reach;
mod secrets;
mod settings;
mod stacking;
mod value_properties;
mod views;
mod watching;
