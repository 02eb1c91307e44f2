//! Rhai in the host's process.

use anyhow::{Context, anyhow};
use rhai::{AST, CallFnOptions, Dynamic, Engine, ImmutableString, Map, Scope};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "rhai",
    name: "Rhai",
    limits: "operations, sizes",
    passing: "copied strings",
};

pub struct Rhai {
    engine: Engine,
    guard: AST,
    scope: Scope<'static>,
}

impl Rhai {
    pub fn new() -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        engine
            .set_max_operations(1_000_000)
            .set_max_string_size(1 << 20)
            .set_max_array_size(1 << 16)
            .set_max_map_size(1 << 16);
        let guard = engine.compile(include_str!("../../guards/guard.rhai"))?;
        Ok(Self {
            engine,
            guard,
            scope: Scope::new(),
        })
    }
}

impl Contestant for Rhai {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let given = (
            ImmutableString::from(call.name),
            ImmutableString::from(call.arguments),
        );
        let options = CallFnOptions::new().eval_ast(false);
        let answer = self.engine.call_fn_with_options::<Dynamic>(
            options,
            &mut self.scope,
            &self.guard,
            "guard",
            given,
        );
        // Rhai's errors may contain values that are not `Send`.
        let answer = answer.map_err(|error| anyhow!("{error}"))?;
        let Some(answer) = answer.try_cast::<Map>() else {
            return Ok(Verdict::Continue);
        };
        let text = |key: &str| {
            let value = answer.get(key).cloned().context("a key is missing")?;
            value.into_string().map_err(anyhow::Error::msg)
        };
        Ok(Verdict::reject(text("code")?, text("reason")?))
    }
}
