//! Log lines, with fields, in the manner of `tracing`.
//!
//! ```
//! # use portcullis_sdk::prelude::*;
//! # let (tool, arguments, error) = ("shell", ["ls"], "no such tool");
//! info!("starting");
//! info!(count = 3, tool = %tool, "blocked {} calls", 2);
//! debug!(?arguments, tool);
//! error!(reason = %error);
//! ```
//!
//! A field is `name = value` or `name = %value` (as `{}` writes it), `name = ?value` (as `{:?}`
//! writes it), or a variable's name alone, with or without `%` or `?`. The line is the message
//! and then the fields as `name=value`, with quotes around a value that needs them. The host adds the
//! hook's id; the operator decides which levels are kept and how much of a line.

mod line;

pub use crate::bindings::wasi::logging::logging::Level;
pub use crate::{debug, error, info, trace, warn};

#[doc(hidden)]
pub use line::Line;

/// Logs details of interest only while tracing one call; see [`log`](crate::log).
#[macro_export]
macro_rules! trace {
    ($($line:tt)+) => { $crate::__log!(Trace, $($line)+) };
}

/// Logs details of interest while debugging; see [`log`](crate::log).
#[macro_export]
macro_rules! debug {
    ($($line:tt)+) => { $crate::__log!(Debug, $($line)+) };
}

/// Logs a normal event; see [`log`](crate::log).
#[macro_export]
macro_rules! info {
    ($($line:tt)+) => { $crate::__log!(Info, $($line)+) };
}

/// Logs a warning: something is odd, and the hook continues; see [`log`](crate::log).
#[macro_export]
macro_rules! warn {
    ($($line:tt)+) => { $crate::__log!(Warn, $($line)+) };
}

/// Logs a failure; see [`log`](crate::log).
#[macro_export]
macro_rules! error {
    ($($line:tt)+) => { $crate::__log!(Error, $($line)+) };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __log {
    ($level:ident, $($line:tt)+) => {{
        let mut line = $crate::log::Line::default();
        $crate::__line!(line, $($line)+);
        line.emit($crate::log::Level::$level, ::core::module_path!());
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __line {
    ($line:ident, ) => {};
    ($line:ident, $format:literal $($arguments:tt)*) => {
        $line.message(::core::format_args!($format $($arguments)*))
    };
    ($line:ident, $name:ident = %$value:expr $(, $($rest:tt)*)?) => {
        $line.field(::core::stringify!($name), ::core::format_args!("{}", $value));
        $crate::__line!($line, $($($rest)*)?);
    };
    ($line:ident, $name:ident = ?$value:expr $(, $($rest:tt)*)?) => {
        $line.field(::core::stringify!($name), ::core::format_args!("{:?}", $value));
        $crate::__line!($line, $($($rest)*)?);
    };
    ($line:ident, $name:ident = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__line!($line, $name = %$value $(, $($rest)*)?);
    };
    ($line:ident, %$name:ident $(, $($rest:tt)*)?) => {
        $crate::__line!($line, $name = %$name $(, $($rest)*)?);
    };
    ($line:ident, ?$name:ident $(, $($rest:tt)*)?) => {
        $crate::__line!($line, $name = ?$name $(, $($rest)*)?);
    };
    ($line:ident, $name:ident $(, $($rest:tt)*)?) => {
        $crate::__line!($line, $name = %$name $(, $($rest)*)?);
    };
}
