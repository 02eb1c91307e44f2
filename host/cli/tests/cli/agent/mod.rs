//! `agent.toml` through the command: each table has an effect.

mod all_points;
mod approver;
mod background;
#[cfg(unix)]
mod budget;
#[cfg(unix)]
mod cancelled;
#[cfg(unix)]
mod claimed;
#[cfg(unix)]
mod driven;
mod durable;
#[cfg(unix)]
mod example;
mod faults;
#[cfg(unix)]
mod jobs;
#[cfg(unix)]
mod killed;
#[cfg(unix)]
mod killed_turns;
#[cfg(unix)]
mod last_used;
mod limits;
#[cfg(unix)]
mod live;
pub mod loopback;
#[cfg(unix)]
mod other_hooks;
#[cfg(unix)]
mod prompt;
mod providers;
mod reached;
#[cfg(unix)]
mod remote;
mod scene;
mod sessions;
#[cfg(unix)]
mod shown;
mod start;
#[cfg(unix)]
mod suspended;
#[cfg(unix)]
mod telemetry;
mod tool_names;
mod tools;
#[cfg(unix)]
mod typed;
#[cfg(unix)]
mod ui;
#[cfg(unix)]
mod workers;
