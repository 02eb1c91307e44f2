//! The metrics, as a collector and as Prometheus get them.

use std::time::Duration;

use portcullis_agent::NewSession;
use portcullis_collector::Collector;
use portcullis_telemetry::{Telemetry, TelemetryTable};

use crate::agents::{agent, calls, probe, says, table};

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_and_prometheus_get_the_same_metrics() {
    let collector = Collector::start().await;
    let table = TelemetryTable {
        prometheus: "127.0.0.1:0".parse().ok(),
        logs: true,
        ..table(&collector)
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    let does = "pre-tool-call = \"reject no\"\npost-step = \"panic\"\npre-step = \"lines 1\"";
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], probe(does))
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("Do it.").await.unwrap_err();
    let url = format!("http://{}/metrics", telemetry.prometheus().unwrap());
    let answer = reqwest::get(&url).await.unwrap();
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/plain")
    );
    let text = answer.text().await.unwrap();
    let one = |name: &str, labels: &[&str]| {
        let lines: Vec<_> = text
            .lines()
            .filter(|line| {
                line.starts_with(name) && labels.iter().all(|label| line.contains(label))
            })
            .collect();
        assert_eq!(lines.len(), 1, "{name} {labels:?}: {lines:?}\n{text}");
        lines[0].rsplit(' ').next().unwrap().to_owned()
    };
    assert_eq!(
        one(
            "portcullis_hook_refusals_total{",
            &["hook=\"probe\"", "point=\"pre-tool-call\""]
        ),
        "1"
    );
    assert_eq!(
        one(
            "portcullis_hook_failures_total{",
            &["cause=\"trap\"", "point=\"post-step\""]
        ),
        "1"
    );
    assert_eq!(
        one(
            "portcullis_guards_not_run_total{",
            &["cause=\"trap\"", "refused=\"true\""]
        ),
        "1"
    );
    assert_eq!(
        one(
            "portcullis_hook_duration_seconds_count{",
            &["point=\"pre-tool-call\""]
        ),
        "1"
    );
    assert_eq!(
        one(
            "portcullis_tool_calls_total{",
            &["outcome=\"error\"", "tool=\"(did not run)\""]
        ),
        "1"
    );
    assert_eq!(one("portcullis_turns_total{", &["outcome=\"failed\""]), "1");
    assert_eq!(one("portcullis_sessions ", &[]), "1");
    assert_eq!(
        one("gen_ai_client_operation_duration_seconds_count{", &[]),
        "1"
    );
    session.close().await;
    telemetry.end(Duration::from_secs(10)).await;
    let taken = collector.taken.lock().unwrap();
    for name in [
        "portcullis.hook.runs",
        "portcullis.hook.fuel",
        "portcullis.guards.not_run",
        "gen_ai.client.token.usage",
        "portcullis.telemetry.spans",
    ] {
        assert!(
            taken.metrics.iter().any(|metric| metric == name),
            "{name}: {:?}",
            taken.metrics
        );
    }
    let line = taken.logs.iter().find(|(_, span)| !span.is_empty());
    assert!(line.is_some(), "{:?}", taken.logs);
    let guard = taken
        .logs
        .iter()
        .find(|(body, _)| body.contains("guard `probe` did not run at post-step"));
    assert!(guard.is_some(), "{:?}", taken.logs);
}
