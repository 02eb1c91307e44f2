//! Rego, the language of Open Policy Agent, in the host's process: regorus with its bytecode interpreter.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::Context;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::RegoVM;
use regorus::utils::limits::ExecutionTimerConfig;
use regorus::{Engine, Rc, Value};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "rego",
    name: "Rego (regorus)",
    limits: "instructions, deadline",
    passing: "a value of the policy's own, which holds copies",
};

const RULE: &str = "data.guard.verdict";

pub struct Rego {
    machine: RegoVM,
    name: Value,
    arguments: Value,
    code: Value,
    reason: Value,
}

impl Rego {
    pub fn new() -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        let source = include_str!("../../guards/guard.rego");
        engine.add_policy("guard.rego".to_owned(), source.to_owned())?;
        let policy = engine.compile_with_entrypoint(&Rc::from(RULE))?;
        let program = Compiler::compile_from_policy(&policy, &[RULE])?;
        let mut machine = RegoVM::new_with_policy(policy);
        machine.load_program(program);
        machine.set_max_instructions(1_000_000);
        machine.set_execution_timer_config(Some(ExecutionTimerConfig {
            limit: Duration::from_millis(100),
            check_interval: NonZeroU32::new(16).context("not zero")?,
        }));
        Ok(Self {
            machine,
            name: "name".into(),
            arguments: "arguments".into(),
            code: "code".into(),
            reason: "reason".into(),
        })
    }
}

impl Contestant for Rego {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let input = BTreeMap::from([
            (self.name.clone(), call.name.into()),
            (self.arguments.clone(), call.arguments.into()),
        ]);
        self.machine.set_input(input.into());
        let answer = self.machine.execute()?;
        let answer = answer.as_object()?;
        let text = |key| answer.get(key).map(|text| text.as_string());
        Ok(match (text(&self.code), text(&self.reason)) {
            (Some(code), Some(reason)) => Verdict::reject(&**code?, &**reason?),
            _ => Verdict::Continue,
        })
    }
}
