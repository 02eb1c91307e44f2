//! The lines of the sources that a component's functions were compiled from, which `portcullis build` leaves in it.
//!
//! They are in the custom section `portcullis:lines` of the component. They are read only when a trap is shown, and a
//! stranger wrote them. All numbers are unsigned LEB128:
//!
//! ```text
//! lines    = 1 (the version) · files · functions
//! files    = count · (length · UTF-8)…
//! functions= count · (index · count · row…)…            by the index in the core module, ascending
//! row      = offset · file · line                       offset: bytes behind the row before, in the function's body
//! ```
//!
//! A row holds up to the next one of its function. Line 0 is none.

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
