//! Collectors that are down, and telemetry that is off.

use std::time::{Duration, Instant};

use portcullis::Hooks;
use portcullis::settings::TelemetryTable;
use portcullis_agent::NewSession;
use portcullis_telemetry::Telemetry;

use crate::agents::{agent, says};

/// Returns an address at which no program listens.
async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Runs a turn, which does not fail and does not wait for the collector.
async fn turn(telemetry: &Telemetry) {
    let agent = agent(&[says("done")], Hooks::default())
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("Do it.").await.unwrap();
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_collector_that_is_down_does_not_take_is_counted() {
    let table = TelemetryTable {
        endpoint: Some(nobody().await),
        prometheus: "127.0.0.1:0".parse().ok(),
        ..TelemetryTable::default()
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    turn(&telemetry).await;
    telemetry.end(Duration::from_secs(30)).await;
    let text = telemetry.metrics().text();
    let lost = text
        .lines()
        .find(|line| line.starts_with("portcullis_telemetry_spans_total{result=\"lost\"}"));
    assert!(lost.is_some_and(|line| line.ends_with(" 4")), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_holds_up_no_end() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let table = TelemetryTable {
        endpoint: Some(format!("http://{}", listener.local_addr().unwrap())),
        ..TelemetryTable::default()
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    turn(&telemetry).await;
    let began = Instant::now();
    telemetry.end(Duration::from_millis(50)).await;
    // The exporters' own limit is 10 s.
    assert!(began.elapsed() < Duration::from_secs(9));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_off_is_not_there() {
    assert!(Telemetry::start_if_on(None).await.unwrap().is_none());
    // There is no address to send to.
    let empty = TelemetryTable::default();
    let started = Telemetry::start_if_on(Some(&empty)).await.unwrap();
    assert!(started.is_none());
}
