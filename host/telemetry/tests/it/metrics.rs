//! The metrics that a collector and Prometheus receive.

use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ExecutionPolicy, HookRole, Usage};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::settings::TelemetryTable;
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{
    AgentEvent, Emitted, EventSender, NewSession, SessionSpan, TurnFrom, TurnSpan,
};
use portcullis_collector::{Collector, Has, differences, documented};
use portcullis_telemetry::{Metrics, Telemetry};
use serde_json::Value;

use crate::agents::{agent, calls, probe_under, says, table};

/// The text that Prometheus reads.
struct Read(String);

impl Read {
    /// Returns the value of the only sample with this name and these labels.
    fn one(&self, name: &str, labels: &[&str]) -> &str {
        let is_it = |line: &&str| {
            let rest = line.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
                && labels.iter().all(|label| line.contains(label))
        };
        let lines: Vec<_> = self.0.lines().filter(is_it).collect();
        assert_eq!(lines.len(), 1, "{name} {labels:?}: {lines:?}\n{}", self.0);
        lines[0].rsplit(' ').next().unwrap()
    }
}

/// Runs a turn of a new agent, and leaves the session open. Returns the events.
async fn turn(telemetry: &Telemetry, responses: &[Value], hooks: Hooks) -> Vec<Arc<Emitted>> {
    telemetry.metrics().watch(&hooks);
    let events = EventSender::new();
    let mut received = events.subscribe();
    let agent = agent(responses, hooks)
        .events(events)
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    // Some turns are refused.
    let _ = session.turn("Do it.").await;
    session.close().await;
    std::iter::from_fn(|| received.try_next()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_metric_is_set_and_prometheus_and_a_collector_get_the_same() {
    let collector = Collector::start().await;
    let table = TelemetryTable {
        prometheus: "127.0.0.1:0".parse().ok(),
        logs: true,
        ..table(&collector)
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    // A refusal, and a guard that traps and is put in quarantine.
    let does = "pre-tool-call = \"reject no\"\npost-step = \"panic\"\npre-step = \"lines 1\"";
    let hooks = probe_under(does, "[quarantine]\nfailures = 1");
    let events = turn(&telemetry, &[calls(&[("echo", "c1")]), says("done")], hooks).await;
    // A tool that runs, and a budget that runs out.
    let hooks = probe_under(
        "post-tool-call = \"spin\"",
        "[hooks.probe]\nfailure = \"fail-open\"\n[hooks.probe.limits]\nfuel = 1000000",
    );
    turn(&telemetry, &[calls(&[("echo", "c1")]), says("done")], hooks).await;
    // These events are rare in a real session.
    let session = "s";
    telemetry.tracer().emitted(&Emitted::new(
        session.into(),
        1,
        1,
        AgentEvent::HookModelCall {
            hook: "judge".into(),
            provider: "p".into(),
            model: "m".into(),
            usage: Some(Usage {
                input_tokens: 7,
                output_tokens: 2,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            }),
            error: None,
            elapsed_ms: 1,
        },
    ));
    let run = events.iter().find_map(|event| match &event.event {
        AgentEvent::HookRun { run } => Some(run.clone()),
        _ => None,
    });
    let mut run = run.expect("a run");
    run.restarted = true;
    telemetry.observer(session).ended(session, &run);
    let agent = agent(&[], Hooks::default())
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let open = agent.session(NewSession::default()).await.unwrap();
    let url = format!("http://{}/metrics", telemetry.prometheus().unwrap());
    let answer = reqwest::get(&url).await.unwrap();
    let kind = answer.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/plain"));
    let read = Read(answer.text().await.unwrap());
    let differences = differences(&read.0, Has::All);
    assert!(differences.is_empty(), "{differences:#?}\n{}", read.0);
    for (name, labels, value) in [
        (
            "portcullis_hook_refusals_total",
            &["hook=\"probe\"", "point=\"pre-tool-call\""][..],
            "1",
        ),
        (
            "portcullis_hook_failures_total",
            &["cause=\"trap\"", "point=\"post-step\""],
            "1",
        ),
        (
            "portcullis_hook_failures_total",
            &["cause=\"fuel\"", "failed_closed=\"false\""],
            "1",
        ),
        (
            "portcullis_guards_not_run_total",
            &["cause=\"trap\"", "refused=\"true\""],
            "1",
        ),
        (
            "portcullis_hook_quarantines_total",
            &["cause=\"trap\""],
            "1",
        ),
        ("portcullis_hook_quarantined", &["hook=\"probe\""], "1"),
        ("portcullis_hook_restarts_total", &["hook=\"probe\""], "1"),
        (
            "portcullis_hook_model_tokens_total",
            &["type=\"input\""],
            "7",
        ),
        (
            "portcullis_hook_duration_seconds_count",
            &["point=\"pre-tool-call\""],
            "2",
        ),
        (
            "portcullis_tool_calls_total",
            &["outcome=\"error\"", "tool=\"(did not run)\""],
            "1",
        ),
        (
            "portcullis_tool_calls_total",
            &["outcome=\"ok\"", "tool=\"echo\""],
            "1",
        ),
        ("portcullis_turns_total", &["outcome=\"failed\""], "1"),
        ("portcullis_turns_total", &["outcome=\"ok\""], "1"),
        ("portcullis_turn_hook_duration_seconds_count", &[], "2"),
        ("portcullis_turn_hook_fuel_count", &[], "2"),
        ("portcullis_sessions", &[], "1"),
        ("portcullis_queue", &["of=\"calls\""], "0"),
        ("portcullis_queue", &["of=\"detached-runs\""], "0"),
        ("gen_ai_client_operation_duration_seconds_count", &[], "3"),
    ] {
        assert_eq!(read.one(name, labels), value, "{name} {labels:?}");
    }
    // One hook used its whole million of fuel.
    let fuel: f64 = read
        .one("portcullis_turn_hook_fuel_sum", &[])
        .parse()
        .unwrap();
    assert!(fuel >= 1e6, "{fuel}");
    open.close().await;
    telemetry.end(Duration::from_secs(10)).await;
    let taken = collector.taken.lock().unwrap();
    // Each instrument has the same metric under its Prometheus name.
    let prometheus = |name: &String| name.replace('.', "_");
    let sent: Vec<_> = taken.metrics.iter().map(prometheus).collect();
    for name in documented(Has::All) {
        let plain = name.trim_end_matches("_total").trim_end_matches("_seconds");
        assert!(sent.iter().any(|sent| sent == plain), "{name}: {sent:?}");
    }
    let line = taken.logs.iter().find(|(_, span)| !span.is_empty());
    assert!(line.is_some(), "{:?}", taken.logs);
    let guard = taken
        .logs
        .iter()
        .find(|(body, _)| body.contains("guard `probe` did not run at post-step"));
    assert!(guard.is_some(), "{:?}", taken.logs);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_counted_while_it_waits() {
    let metrics = Metrics::for_prometheus();
    let slow = Arc::new(tokio::sync::Semaphore::new(0));
    let waits = slow.clone();
    let hook = NativeHook::new("slow")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background);
    let hook = hook.on_async::<PreTurn>(move |_| {
        let waits = waits.clone();
        Box::pin(async move {
            waits.acquire().await.unwrap().forget();
            Ok(pre_turn::Outcome::Continue)
        })
    });
    let hooks = Hooks::none().with([hook]).unwrap();
    metrics.watch(&hooks);
    let detached = |number: &str| {
        let line = format!("portcullis_queue{{of=\"detached-runs\"}} {number}\n");
        let text = metrics.text();
        assert!(text.contains(&line), "{line}{text}");
    };
    detached("0");
    let agent = agent(&[says("done")], hooks.clone()).build().unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("Do it.").await.unwrap();
    detached("1");
    slow.add_permits(1);
    assert_eq!(hooks.drain(Duration::from_secs(60)).await, 0);
    detached("0");
    session.close().await;
    // No spans are sent, and none are lost.
    assert!(!metrics.text().contains("of=\"spans\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hooks_use_in_a_turn_counts_once_and_without_detached_runs() {
    let collector = Collector::start().await;
    let table = TelemetryTable {
        prometheus: "127.0.0.1:0".parse().ok(),
        ..table(&collector)
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    let events = turn(
        &telemetry,
        &[says("done")],
        probe_under("pre-turn = \"continue\"", ""),
    )
    .await;
    let run = events.iter().find_map(|event| match &event.event {
        AgentEvent::HookRun { run } => Some(run.clone()),
        _ => None,
    });
    let mut run = run.expect("a run");
    run.fuel = Some(1_000_000_000);
    let (session, tracer) = ("s", telemetry.tracer());
    tracer.session_opened(SessionSpan {
        session,
        agent: "a",
        parent: None,
    });
    let observer = tracer.observer(session).unwrap();
    let begin = |turn| {
        tracer.turn_began(TurnSpan {
            session,
            turn,
            provider: "p",
            model: "m",
            parent: None,
            from: TurnFrom::New,
        });
    };
    // A turn that another process continues, and one that ends while a detached run does.
    begin(1);
    observer.ended(session, &run);
    tracer.turn_left(session);
    tracer.turn_ended(session);
    begin(2);
    observer.on_background_end(session, &run);
    tracer.turn_ended(session);
    tracer.session_closed(session);
    let read = Read(telemetry.metrics().text());
    assert_eq!(read.one("portcullis_turn_hook_fuel_count", &[]), "3");
    let fuel: f64 = read
        .one("portcullis_turn_hook_fuel_sum", &[])
        .parse()
        .unwrap();
    assert!((1e9..2e9).contains(&fuel), "{fuel}");
    telemetry.end(Duration::from_secs(10)).await;
}
