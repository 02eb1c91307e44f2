//! `agent.toml` through the command: each table has an effect.

mod all_points;
mod background;
mod faults;
mod limits;
mod loopback;
mod providers;
mod scene;
mod sessions;
mod start;
mod suspended;
mod tools;
