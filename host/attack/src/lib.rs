//! Hostile hooks, and the result that each must have.
//!
//! Each attack is one file in `attacks/`: a header with a description and the expected result, and
//! the hostile code. The kit loads it under the limits in force, beside healthy hooks, and calls it
//! twice. It checks the verdict, the cause, the time, the memory, the next call, the other hooks,
//! the other session, and the log.
//!
//! The hooks are WebAssembly text, assembled on demand: the kit needs no toolchain.
//!
//! ```no_run
//! use portcullis_attack::{Options, attacks, run};
//!
//! for attack in attacks().expect("a kit that can be read") {
//!     let row = run(&attack, &Options::default());
//!     println!("{}: {} in {} µs", row.name, row.got, row.micros);
//! }
//! ```

mod attack;
mod calls;
pub mod crowd;
mod fault;
mod guest;
mod judge;
mod list;
mod memory;
mod options;
mod place;
mod play;
mod row;
mod run;
mod shell;
mod watch;

pub use attack::{Attack, Expected, Header, HeaderError};
pub use guest::Guest;
pub use list::attacks;
pub use options::{Beside, Options};
pub use row::Row;
pub use run::{check, run};
