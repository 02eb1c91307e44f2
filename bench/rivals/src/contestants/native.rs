//! A Rust closure behind a `dyn`: the cost of a hook with nothing between it and the host.

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "native-closure",
    name: "Rust closure in the host",
    limits: "none",
    passing: "borrowed strings",
};

type Guard = dyn Fn(&str, &str) -> Verdict;

pub struct Native(Box<Guard>);

impl Native {
    pub fn new() -> Self {
        Self(Box::new(|name, arguments| {
            match name == "shell" && arguments.contains("rm -rf") {
                true => Verdict::no_rm(),
                false => Verdict::Continue,
            }
        }))
    }
}

impl Contestant for Native {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        Ok((self.0)(call.name, call.arguments))
    }
}
