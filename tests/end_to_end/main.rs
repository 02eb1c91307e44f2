//! The whole host, on real components built from source.

mod agent;
mod asking;
mod at_the_limit;
mod contributions;
mod detached;
mod isolation;
mod limits;
mod loading;
mod memory_domain;
mod merge_properties;
mod native;
mod not_run;
mod order;
mod order_properties;
mod outcome_table;
mod outcomes;
mod overload;
mod pending;
mod quarantine;
mod settings;
mod stacking;
mod starting;
mod turn_budget;
mod value_properties;
mod views;
mod watching;
