//! The lines of the sources that a component's functions were compiled from: a table that `portcullis build`
//! writes.
//!
//! The table is in the custom section `portcullis:lines` of the component. It is read only when a trap is shown, and
//! is not trusted. All numbers are unsigned LEB128:
//!
//! ```text
//! lines    = 1 (the version) · files · functions
//! files    = count · (length · UTF-8)…
//! functions= count · (index · count · row…)…            by the index in the core module, ascending
//! row      = offset · file · line                       offset: bytes after the previous row, in the function's
//! body
//! ```
//!
//! A row applies up to the next row of its function. Line 0 means that there is no line.

mod read;
mod write;

pub use read::{find, of_component};
pub use write::{Function, Row, TooLarge, section};

/// The section's name.
const SECTION: &str = "portcullis:lines";

/// The largest table that is read, in bytes; a larger one is not written.
pub const MOST_BYTES: usize = 1 << 20;

/// The version of the format.
const VERSION: u32 = 1;
