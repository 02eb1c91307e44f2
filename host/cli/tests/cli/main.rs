//! The `portcullis` command, run as its users run it, on the example hooks built from source.

mod agent;
mod alerts;
#[cfg(unix)]
mod asked;
mod attack;
mod bench;
mod conform;
mod demo;
#[cfg(unix)]
mod demo_durable;
#[cfg(unix)]
mod descriptors;
mod designs;
mod dev;
#[cfg(unix)]
mod dialects;
mod explain;
mod guards;
mod hooks;
mod mocked_files;
mod mocks;
mod new;
#[cfg(unix)]
mod operator;
mod pages;
mod points;
mod printed;
mod progress;
mod promote;
mod reload;
mod replay;
mod run;
mod runs;
#[cfg(unix)]
mod share;
#[cfg(unix)]
mod source_line;

mod support;
#[cfg(unix)]
mod terminal;
mod test;
mod threads;
mod traced;
#[cfg(unix)]
mod trust;
