//! The component of the Rust hook, called through wasmtime without Portcullis.

use std::path::Path;

use portcullis_bench::straight::{Facts, Linked, Straight};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "wasmtime",
    name: "the hook in Rust, by wasmtime alone",
    limits: "fuel, deadline, memory",
    passing: "imports, called for what is read",
};

pub struct RawWasmtime(Straight);

impl RawWasmtime {
    pub fn new(component: &Path) -> anyhow::Result<Self> {
        let linked = Linked::new(component, "pre-tool-call", None)?;
        Ok(Self(linked.start()?))
    }
}

impl Contestant for RawWasmtime {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let facts = Facts {
            name: call.name,
            arguments: call.arguments,
        };
        Ok(match self.0.call(facts)? {
            None => Verdict::Continue,
            Some(refusal) => Verdict::Reject {
                code: refusal.code,
                reason: refusal.reason,
            },
        })
    }
}
