//! Lua 5.4 in the host's process.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::{Function, HookTriggers, Lua, Table, VmState};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const FACTS: Entry = Entry {
    key: "lua",
    name: "Lua 5.4, given all facts",
    limits: "memory, deadline",
    passing: "tables with copies of the facts and the arguments",
};

pub const STRINGS: Entry = Entry {
    key: "lua-strings",
    name: "Lua 5.4, given two strings",
    limits: "none",
    passing: "copied strings",
};

const SOURCE: &str = include_str!("../../guards/guard.lua");

/// A guard that can read all that a hook can: the context, the facts of the call and the arguments.
pub struct Facts {
    lua: Lua,
    guard: Function,
    deadline: Rc<Cell<Instant>>,
}

impl Facts {
    pub fn new() -> anyhow::Result<Self> {
        let lua = Lua::new();
        lua.set_memory_limit(64 << 20)?;
        let (guard, _): (Function, Function) = lua.load(SOURCE).eval()?;
        let deadline = Rc::new(Cell::new(Instant::now()));
        let watched = Rc::clone(&deadline);
        let often = HookTriggers::new().every_nth_instruction(1_000);
        lua.set_hook(often, move |_, _| match Instant::now() > watched.get() {
            true => Err(mlua::Error::runtime("past its deadline")),
            false => Ok(VmState::Continue),
        })?;
        Ok(Self {
            lua,
            guard,
            deadline,
        })
    }

    fn tables(&self, call: &ToolCall) -> mlua::Result<(Table, Table)> {
        let context = self.lua.create_table_with_capacity(0, 4)?;
        context.raw_set("session_id", "rivals")?;
        context.raw_set("agent", "main")?;
        context.raw_set("turn", 1)?;
        context.raw_set("step", 1)?;
        let grant = self.lua.create_table_with_capacity(0, 2)?;
        grant.raw_set("working_dir", "/srv/project")?;
        grant.raw_set("timeout_ms", 120_000)?;
        let facts = self.lua.create_table_with_capacity(0, 5)?;
        facts.raw_set("call_id", "call-1")?;
        facts.raw_set("name", call.name)?;
        facts.raw_set("arguments_bytes", call.arguments.len())?;
        facts.raw_set("grant", grant)?;
        facts.raw_set("arguments", call.arguments)?;
        Ok((context, facts))
    }
}

impl Contestant for Facts {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        self.deadline
            .set(Instant::now() + Duration::from_millis(100));
        verdict(self.guard.call(self.tables(call)?)?)
    }
}

/// A guard that gets only the name and the arguments, the minimum.
pub struct Strings {
    guard: Function,
    // The state that owns the function.
    _lua: Lua,
}

impl Strings {
    pub fn new() -> anyhow::Result<Self> {
        let lua = Lua::new();
        let (_, guard): (Function, Function) = lua.load(SOURCE).eval()?;
        Ok(Self { guard, _lua: lua })
    }
}

impl Contestant for Strings {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        verdict(self.guard.call((call.name, call.arguments))?)
    }
}

fn verdict(answer: Option<Table>) -> anyhow::Result<Verdict> {
    Ok(match answer {
        None => Verdict::Continue,
        Some(answer) => Verdict::Reject {
            code: answer.raw_get("code")?,
            reason: answer.raw_get("reason")?,
        },
    })
}
