//! One warm call.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use criterion::Criterion;
use futures::FutureExt;
use portcullis::contract::{ContentPart, Message, Role};
use portcullis::points::{PreLlmCall, PreToolCall, PreTurn, pre_llm_call, pre_tool_call};
use portcullis::{Call, Hooks, NativeHook, Session, SessionOptions, Views};
use portcullis_bench::straight::{Facts, Linked};
use portcullis_tests::{HooksDir, component, context, tool_call};

use crate::rounds::take_turns;

/// A turn budget above the use of all calls of a session here, so that the turn never ends.
pub const TURN: &str = "[turn]\nfuel = 1000000000000000\nhooks-ms = 86400000\n";

/// Runs a chain that answers at once. A call that is not made would be a fast one.
pub fn run<P: portcullis::points::Point>(session: &Session, call: &mut Call<P>) {
    let verdict = session.run(call).now_or_never();
    let verdict = black_box(verdict.expect("nothing to wait for"));
    assert!(verdict.runs.iter().all(|run| run.cause().is_none()));
}

/// Measures one small typed call through a whole chain, against the other ways to do the same.
/// Returns the medians of rounds in which the ways take turns.
pub fn one_small_call(criterion: &mut Criterion) -> Vec<(&'static str, f64)> {
    let mut group = criterion.benchmark_group("call");
    let arguments = r#"{"path":"notes/today.md"}"#;
    let mut call = tool_call(arguments);

    let facts = Facts {
        name: "write",
        arguments,
    };
    let linked = Linked::new(&component("tiny"), "pre-tool-call", None).expect("a component");
    let mut instance = linked.start().expect("an instance");
    let mut straight = || {
        black_box(instance.call(black_box(facts)).expect("an answer"));
    };
    group.bench_function("straight", |b| b.iter(&mut straight));

    let hooks = HooksDir::new().with("tiny").settings(TURN).load();
    let session = hooks.session(SessionOptions::new("bench"));
    let mut chain = || run(&session, &mut call);
    group.bench_function("chain", |b| b.iter(&mut chain));

    let natives = native_session();
    let mut native_call = tool_call(arguments);
    let mut native = || run(&natives, &mut native_call);
    group.bench_function("native", |b| b.iter(&mut native));

    group.bench_function("unserved", |b| {
        b.iter(|| black_box(&session).serves::<PreTurn>());
    });

    let lua_call = tool_call(arguments);
    let lua = Lua::new();
    let mut lua = || lua.decide(&lua_call);
    group.bench_function("lua", |b| b.iter(&mut lua));

    process(&mut group, &lua_call);
    group.finish();
    take_turns(&mut [
        ("straight", &mut straight),
        ("chain", &mut chain),
        ("native", &mut native),
        ("lua", &mut lua),
    ])
}

fn native_session() -> Session {
    let mut session = Hooks::none().session(SessionOptions::new("bench"));
    let hook = NativeHook::new("native").on::<PreToolCall>(|call| {
        Ok(match call.subject.name.as_str() {
            "" => pre_tool_call::Outcome::Answer(pre_tool_call::ToolAnswer {
                content: String::new(),
                is_error: true,
            }),
            _ => pre_tool_call::Outcome::Continue,
        })
    });
    session.add(hook).expect("an id of its own");
    session
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// The same decision by an embedded Lua function with the same fields.
struct Lua {
    lua: mlua::Lua,
    decide: mlua::Function,
}

impl Lua {
    fn new() -> Self {
        let lua = mlua::Lua::new();
        let decide = lua
            .load(
                "return function(context, input)
                    if input.name == '' then return 'reject' end
                    return 'continue'
                end",
            )
            .eval()
            .expect("a function");
        Self { lua, decide }
    }

    fn decide(&self, call: &Call<PreToolCall>) {
        let fields = self.fields(call).expect("tables");
        let answer: mlua::LuaString = self.decide.call(fields).expect("an answer");
        black_box(answer);
    }

    fn fields(&self, call: &Call<PreToolCall>) -> mlua::Result<(mlua::Table, mlua::Table)> {
        let context = self.lua.create_table()?;
        context.set("session_id", call.context.session_id.as_str())?;
        context.set("agent", call.context.agent.as_str())?;
        context.set("turn", call.context.turn)?;
        context.set("step", call.context.step)?;
        let grant = self.lua.create_table()?;
        grant.set("working_dir", call.subject.grant.working_dir.as_deref())?;
        grant.set("timeout_ms", call.subject.grant.timeout_ms)?;
        let input = self.lua.create_table()?;
        input.set("call_id", call.subject.call_id.as_str())?;
        input.set("name", call.subject.name.as_str())?;
        input.set("arguments_bytes", call.subject.arguments_bytes)?;
        input.set("grant", grant)?;
        Ok((context, input))
    }
}

/// Measures the same call by a process that is started for it and given JSON. The process only
/// copies its input to its output, the cheapest possible work.
fn process(group: &mut Group<'_>, call: &Call<PreToolCall>) {
    let input = serde_json::to_vec(&(&call.context, &call.subject)).expect("json");
    group.sample_size(20);
    group.bench_function("process", |b| {
        b.iter(|| {
            let mut child = Command::new("cat")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("a process");
            let mut stdin = child.stdin.take().expect("its input");
            stdin.write_all(&input).expect("a pipe");
            drop(stdin);
            let output = child.wait_with_output().expect("its output");
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
            black_box(answer)
        });
    });
}

/// Measures a hook that reads the newest of many messages. Returns the medians of rounds in which
/// the conversations take turns.
pub fn newest_message(criterion: &mut Criterion) -> Vec<(&'static str, f64)> {
    let mut group = criterion.benchmark_group("newest message");
    let hooks = HooksDir::new().with("tiny").settings(TURN).load();
    let calls = |count: u32| {
        let session = hooks.session(SessionOptions::new("bench"));
        let mut call = with_messages(count);
        move || run(&session, &mut call)
    };
    let (mut ten, mut thousand, mut ten_thousand) = (calls(10), calls(1_000), calls(10_000));
    group.bench_function("10", |b| b.iter(&mut ten));
    group.bench_function("1000", |b| b.iter(&mut thousand));
    group.bench_function("10000", |b| b.iter(&mut ten_thousand));
    group.finish();
    take_turns(&mut [
        ("10", &mut ten),
        ("1000", &mut thousand),
        ("10000", &mut ten_thousand),
    ])
}

fn with_messages(count: u32) -> Call<PreLlmCall> {
    let message = Message {
        role: Role::User,
        content: vec![ContentPart::Text("x".repeat(200))],
    };
    Call::new(
        context(),
        pre_llm_call::LlmCall {
            provider: "provider".into(),
            model: "model".into(),
            attempt: 1,
            messages: count,
            tools: 0,
            estimated_tokens: 50 * u64::from(count),
            temperature: None,
            max_output_tokens: None,
        },
        Views {
            conversation: Arc::new(vec![message; count as usize]),
            ..Views::default()
        },
    )
}
