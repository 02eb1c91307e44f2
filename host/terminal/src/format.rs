//! Formatting of printable text: like `format!`, but raw text in it becomes printable.

use std::fmt::Display;
use std::path;

use anstyle::Style;
use portcullis::HookId;
use portcullis::hooks::Share;
use portcullis::points::PointId;
use portcullis::verdict::Cause;
use portcullis_agent::{CheckpointId, TurnError};

use super::line::Line;
use super::printable::Printable;

/// A value in printable text. Printable text, numbers and styles are written unchanged; other text
/// becomes printable as by [`Printable::line`].
pub trait Shown {
    /// Returns the text to write.
    fn shown(&self) -> impl Display;
}

macro_rules! escaped {
    ($($kind:ty),*) => {$(
        impl Shown for $kind {
            fn shown(&self) -> impl Display {
                Printable::line(self)
            }
        }
    )*};
}

escaped!(
    str,
    String,
    path::Display<'_>,
    HookId,
    Cause,
    CheckpointId,
    TurnError,
    serde_json::Value,
    anyhow::Error,
    dyn std::error::Error
);

macro_rules! shown {
    ($($kind:ty),*) => {$(
        impl Shown for $kind {
            fn shown(&self) -> impl Display {
                *self
            }
        }
    )*};
}

shown!(
    u8, u16, u32, u64, u128, usize, i32, i64, f64, Style, PointId, Share
);

impl Shown for Printable {
    fn shown(&self) -> impl Display {
        self
    }
}

impl Shown for Line {
    fn shown(&self) -> impl Display {
        self
    }
}

impl<T: Shown + ?Sized> Shown for &T {
    fn shown(&self) -> impl Display {
        (*self).shown()
    }
}

/// Makes [`Printable`] text from a literal and values that are [`Shown`]. Constants, which are
/// styles, may be between its braces. All other values come after the literal, so that they become
/// printable.
#[macro_export]
macro_rules! printable {
    ($format:literal $(, $value:expr)* $(,)?) => {{
        const { $crate::format::assert_no_variables($format) };
        $crate::format::formatted(format_args!(
            $format $(, $crate::format::Shown::shown(&$value))*
        ))
    }};
}

/// Writes [`printable!`] text and a line break.
#[macro_export]
macro_rules! print_line {
    ($out:expr $(,)?) => {
        $out.line("")
    };
    ($out:expr, $($text:tt)+) => {
        $out.line($crate::format::printable!($($text)+))
    };
}

/// Writes [`printable!`] text.
#[macro_export]
macro_rules! print_text {
    ($out:expr, $($text:tt)+) => {
        $out.text($crate::format::printable!($($text)+))
    };
}

pub use crate::{print_line, print_text, printable};

/// Formats the text. For [`printable!`] alone.
pub fn formatted(arguments: std::fmt::Arguments<'_>) -> Printable {
    Printable(arguments.to_string())
}

/// Fails to compile if a format has a name that is not all capitals. For [`printable!`] alone. A
/// width after a colon may have a name.
pub const fn assert_no_variables(format: &str) {
    let bytes = format.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' && at + 1 < bytes.len() {
            at += 1;
            let is_brace = bytes[at] == b'{';
            while !is_brace && bytes[at] != b'}' && bytes[at] != b':' {
                assert!(
                    !bytes[at].is_ascii_lowercase(),
                    "write empty braces, and the value after the format"
                );
                at += 1;
            }
        }
        at += 1;
    }
}
