//! Turns that survive their process.

mod changed;
mod local;

use self::local::{Direct, Local};

/// The tests of every runtime.
mod direct {
    portcullis_parity::turns!(std::future::ready(Some(super::Direct)));
}

mod recorded {
    portcullis_parity::turns!(std::future::ready(Some(super::Local)));
    portcullis_parity::deaths!(std::future::ready(Some(super::Local)));
}
