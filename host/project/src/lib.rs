//! Hook projects in every language: creates, finds and builds them.
//!
//! A project is a directory with a [`portcullis.toml`](Manifest). One command creates it, and one
//! builds it to a component. The tools of a language are found on the machine, installed for the
//! project alone, or named with the command that installs them.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use portcullis_project::{Language, NewProject, Progress, Project, Sdk};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let points = vec!["pre-turn".parse()?];
//! let new = NewProject::new("word-filter", Language::Rust, points, Sdk::Vendored)?;
//! new.write(Path::new("word-filter"))?;
//!
//! let project = Project::find(Path::new("word-filter"))?;
//! let component = project.build(&mut |progress| {
//!     if let Progress::Step(step) = progress {
//!         eprintln!("{step}");
//!     }
//! })?;
//! println!("{}", component.display());
//! # Ok(())
//! # }
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`contract`] | the WIT: its points, and the world of a hook |
//! | [`manifest`] | `portcullis.toml` |
//! | [`create`] | creating a project from a language's templates |
//! | [`build`] | building it, with progress |
//! | [`tools`] | the programs that builds run: found, installed or named |
//! | [`languages`] | one module for each language |

mod about;
pub mod build;
mod component;
pub mod contract;
pub mod create;
mod error;
pub mod languages;
pub mod manifest;
mod materials;
mod nearest;
mod point;
mod project;
pub mod tools;

pub use about::{About, License, Url};
pub use build::{BuildError, Options, Progress};
pub use contract::Contract;
pub use create::{CreateError, NewProject, Sdk};
pub use error::FileError;
pub use languages::Language;
pub use manifest::Manifest;
pub use materials::{Material, Part};
pub use nearest::nearest;
pub use point::{Point, UnknownPoint};
pub use project::{MANIFEST, Project, ProjectError};
