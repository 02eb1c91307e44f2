//! QuickJS in the host's process.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::{Context, Function, Object, Persistent, Runtime};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "quickjs",
    name: "JavaScript, QuickJS in process",
    limits: "memory, deadline",
    passing: "copied strings",
};

pub struct QuickJs {
    // Declared before the context and the runtime that own it, so that it is dropped first.
    guard: Persistent<Function<'static>>,
    context: Context,
    deadline: Rc<Cell<Instant>>,
}

impl QuickJs {
    pub fn new() -> anyhow::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(64 << 20);
        let deadline = Rc::new(Cell::new(Instant::now()));
        let watched = Rc::clone(&deadline);
        runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() > watched.get())));
        deadline.set(Instant::now() + Duration::from_secs(1));
        let context = Context::full(&runtime)?;
        let guard = context.with(|ctx| {
            let guard: Function<'_> = ctx.eval(include_str!("../../guards/guard.js"))?;
            Ok::<_, rquickjs::Error>(Persistent::save(&ctx, guard))
        })?;
        Ok(Self {
            guard,
            context,
            deadline,
        })
    }
}

impl Contestant for QuickJs {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        self.deadline
            .set(Instant::now() + Duration::from_millis(100));
        self.context.with(|ctx| {
            let guard = self.guard.clone().restore(&ctx)?;
            let answer: Option<Object<'_>> = guard.call((call.name, call.arguments))?;
            Ok(match answer {
                None => Verdict::Continue,
                Some(answer) => Verdict::Reject {
                    code: answer.get("code")?,
                    reason: answer.get("reason")?,
                },
            })
        })
    }
}
