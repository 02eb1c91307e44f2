//! Hostile hooks, and what a host must make of them.
//!
//! Each attack is one file in `attacks/`: a header that says what it does and what must become of it,
//! and the code that is hostile. The kit loads it under the limits in force, beside healthy hooks,
//! calls it, and calls it again. What is looked at: the verdict, the cause, the time, the memory, the
//! next call, the neighbours, the other session, and whatever the hook put into the log.
//!
//! The hooks are WebAssembly text, assembled when they are needed: the kit needs no toolchain.
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
