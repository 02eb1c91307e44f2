//! One warm call.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion};
use futures::FutureExt;
use portcullis::contract::{ContentPart, FailurePolicy, HookRole, Message, Role};
use portcullis::points::{PreLlmCall, PreToolCall, PreTurn, pre_llm_call, pre_tool_call};
use portcullis::{Call, Hooks, Mode, Profile, Session, SessionOptions, Views, native};
use portcullis_tests::{HooksDir, context, tool_call, turn};

use crate::baseline::Straight;

/// Runs a chain that answers at once.
fn run<P: portcullis::points::Point>(session: &Session, call: &mut Call<P>) {
    let verdict = session.run(call).now_or_never();
    black_box(verdict.expect("nothing to wait for"));
}

/// One small typed call through a whole chain, against the other ways to do the same.
pub fn one_small_call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("call");
    let mut call = tool_call(r#"{"path":"notes/today.md"}"#);

    let input: &'static _ = Box::leak(Box::new(call.subject.clone()));
    let at: &'static _ = Box::leak(Box::new(context()));
    let mut straight = Straight::<pre_tool_call::ToolRequest, pre_tool_call::Outcome>::start(
        "pre-tool-call",
        Arc::default(),
    )
    .expect("a component");
    group.bench_function("straight", |b| {
        b.iter(|| straight.call(at, black_box(input)).expect("an answer"));
    });

    let hooks = HooksDir::new().with("tiny").load();
    let session = hooks.session(SessionOptions::new("bench"));
    group.bench_function("chain", |b| b.iter(|| run(&session, &mut call)));

    let mut natives = Hooks::none().session(SessionOptions::new("bench"));
    let profile = Profile {
        id: "native".into(),
        role: HookRole::Gate,
        failure: FailurePolicy::FailClosed,
        mode: Mode::Enforce,
    };
    let hook = native::<PreToolCall, _>(|call| {
        Ok(match call.subject.name.as_str() {
            "" => pre_tool_call::Outcome::Answer(pre_tool_call::ToolAnswer {
                content: String::new(),
                is_error: true,
            }),
            _ => pre_tool_call::Outcome::Continue,
        })
    });
    natives.push::<PreToolCall>(profile, hook);
    group.bench_function("native", |b| b.iter(|| run(&natives, &mut call)));

    group.bench_function("unserved", |b| {
        b.iter(|| black_box(&session).serves::<PreTurn>());
    });
    let mut unserved = turn("hello");
    group.bench_function("unserved run", |b| b.iter(|| run(&session, &mut unserved)));

    lua(&mut group, &call);
    process(&mut group, &call);
    group.finish();
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// The same decision by an embedded Lua function, which is given the same fields.
fn lua(group: &mut Group<'_>, call: &Call<PreToolCall>) {
    let lua = mlua::Lua::new();
    let decide: mlua::Function = lua
        .load("return function(context, input) if input.name == '' then return 'reject' end return 'continue' end")
        .eval()
        .expect("a function");
    let fields = || -> mlua::Result<(mlua::Table, mlua::Table)> {
        let context = lua.create_table()?;
        context.set("session_id", call.context.session_id.as_str())?;
        context.set("agent", call.context.agent.as_str())?;
        context.set("turn", call.context.turn)?;
        context.set("step", call.context.step)?;
        let grant = lua.create_table()?;
        grant.set("working_dir", call.subject.grant.working_dir.as_deref())?;
        grant.set("timeout_ms", call.subject.grant.timeout_ms)?;
        let input = lua.create_table()?;
        input.set("call_id", call.subject.call_id.as_str())?;
        input.set("name", call.subject.name.as_str())?;
        input.set("arguments_bytes", call.subject.arguments_bytes)?;
        input.set("grant", grant)?;
        Ok((context, input))
    };
    group.bench_function("lua", |b| {
        b.iter(|| {
            let answer: mlua::LuaString =
                decide.call(fields().expect("tables")).expect("an answer");
            black_box(answer)
        });
    });
}

/// The same by a process that is started for it and given JSON: the cheapest there is, which only
/// copies its input to its output.
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

/// A hook that reads the newest of many messages.
pub fn newest_message(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("newest message");
    let hooks = HooksDir::new().with("tiny").load();
    for count in [10_u32, 1_000, 10_000] {
        let session = hooks.session(SessionOptions::new("bench"));
        let message = Message {
            role: Role::User,
            content: vec![ContentPart::Text("x".repeat(200))],
        };
        let mut call = Call::<PreLlmCall>::new(
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
        );
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter(|| run(&session, &mut call));
        });
    }
    group.finish();
}
