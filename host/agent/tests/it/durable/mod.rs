//! Turns that survive their process.

mod changed;
mod local;

use self::local::{Direct, Local};

/// The tests of every runtime.
mod direct {
    portcullis_parity::turns!(Some(super::Direct));
}

mod recorded {
    portcullis_parity::turns!(Some(super::Local));
    portcullis_parity::deaths!(Some(super::Local));
}
