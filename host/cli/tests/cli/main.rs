//! The `portcullis` command, run as its users run it, on the example hooks built from source.

mod attack;
mod demo;
mod hooks;
mod journal;
mod points;
mod run;
mod seeds;
mod support;
