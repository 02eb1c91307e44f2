//! Traces that begin or continue in other programs.

use std::sync::{Arc, Mutex};

use portcullis::points::PreTurn;
use portcullis::trace::TraceContext;
use portcullis::{Hooks, NativeHook};
use portcullis_agent::NewSession;
use portcullis_collector::{Collector, hex};
use portcullis_telemetry::Telemetry;

use crate::agents::{WITHIN, agent, calls, says, table, traced_in};

const OUTSIDE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn outside() -> TraceContext {
    TraceContext::from_headers(OUTSIDE, Some("a=1"), Some("tenant=7")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_part_of_the_request_that_it_answers() {
    let collector = Collector::start().await;
    let telemetry = Telemetry::start(&table(&collector)).await.unwrap();
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], Hooks::default())
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.set_trace(Some(outside()));
    session.turn("Do it.").await.unwrap();
    let said = format!("{:?}", session.conversation());
    session.close().await;
    telemetry.end(WITHIN).await;
    let turn = collector.span("invoke_agent clerk");
    assert_eq!(hex(&turn.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(hex(&turn.parent_span_id), "00f067aa0ba902b7");
    assert_eq!(turn.trace_state, "a=1");
    // A request that the tool makes is part of the tool's span.
    let tool = collector.span("execute_tool echo");
    let given = format!("00-{}-{}-01", hex(&tool.trace_id), hex(&tool.span_id));
    assert!(said.contains(&given), "{said}");
    // The session began a trace of its own.
    assert_ne!(collector.span("session clerk").trace_id, turn.trace_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_that_is_not_recorded_elsewhere_is_not_sent_but_goes_on() {
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], Hooks::default());
    let trace = TraceContext {
        flags: 0,
        ..outside()
    };
    let new = NewSession {
        trace: Some(trace),
        ..NewSession::default()
    };
    let (collector, said) = traced_in(agent, new, |table| table).await;
    assert_eq!(collector.tree(), "");
    assert!(
        said.contains("00-4bf92f3577b34da6a3ce929d0e0e4736-"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_telemetry_a_trace_is_passed_on_as_it_is() {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let sees = seen.clone();
    let hook = NativeHook::new("sees").on::<PreTurn>(move |call| {
        let trace = call.views.trace.as_ref().unwrap();
        let run = trace.of_run(portcullis::points::PointId::PreTurn, &"sees".into());
        sees.lock().unwrap().push(run.traceparent());
        Ok(portcullis::points::pre_turn::Outcome::Continue)
    });
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], Hooks::default())
        .native([hook])
        .build()
        .unwrap();
    let new = NewSession {
        trace: Some(outside()),
        ..NewSession::default()
    };
    let mut session = agent.session(new).await.unwrap();
    session.turn("Do it.").await.unwrap();
    let said = format!("{:?}", session.conversation());
    session.close().await;
    assert!(said.contains(OUTSIDE), "{said}");
    assert_eq!(*seen.lock().unwrap(), [OUTSIDE]);
}
