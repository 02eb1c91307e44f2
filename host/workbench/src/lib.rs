//! What authors of hooks work with: cases in files, measurements, a conformance kit, and watching.
//!
//! Everything here runs the built component in the real host: the real loader, the real chain, the
//! real limits. What differs from production is said: state is a session's of its own, clocks and
//! random numbers repeat themselves, and a hook of which `hooks.toml` says nothing is granted what it
//! asks for.
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

mod sample;
mod suite;

pub use sample::{Sample, SampleError, SampleOptions};
pub use suite::{CaseReport, Status, Suite, SuiteError, TestReport};
