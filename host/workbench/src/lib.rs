//! Tools for authors of hooks: test cases in files, measurements, a conformance kit, and watching.
//!
//! Everything runs the built component in the real host, with its loader, chain and limits. Three things
//! differ from production: each session has its own state, clocks and random numbers are the same
//! in every run, and a hook that `hooks.toml` does not name is granted its imports.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use portcullis_workbench::{Sample, SampleOptions, Suite};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let hook = Sample::open(Path::new("hooks/word-filter.wasm"), &SampleOptions::default())?;
//! let report = Suite::new(Path::new("tests")).run(&hook)?;
//! for case in &report.cases {
//!     println!("{}: {:?}", case.name, case.status);
//! }
//! # Ok(())
//! # }
//! ```

pub mod bench;
pub mod case;
pub mod conform;
pub mod dev;
pub mod generate;
pub mod play;
pub mod replay;

mod contract_names;
mod sample;
mod suite;

pub use sample::{Sample, SampleError, SampleOptions};
pub use suite::{CaseReport, Status, Suite, SuiteError, TestReport};
