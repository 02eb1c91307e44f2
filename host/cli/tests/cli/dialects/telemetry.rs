//! Events as parts of the agent's trace, and the telemetry for them.

use std::fs;
use std::net::TcpListener;

use portcullis_collector::{Collector, attributes, hex};
use rustix::process::Signal;
use serde_json::Value;

use super::daemon::{Daemon, by};
use super::{Place, tool_call};
use crate::support::{Ran, run_with_input, text};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Returns a place whose settings send telemetry to the collector, with a script that prints its
/// trace context.
fn place(collector: &Collector) -> Place {
    place_for(collector.address())
}

fn place_for(collector: &str) -> Place {
    let place = Place::new("pre-tool-call = 'reject no'");
    let file = place.hooks.path().join("hooks.toml");
    let settings = fs::read_to_string(&file).expect("the settings");
    let out = place.state().join("variables");
    let more = format!(
        "[telemetry]\nendpoint = \"{}\"\nservice-name = \"helpdesk\"\n\
         [scripts.variables]\ncommand = [\"sh\", \"-c\", 'echo \"$TRACEPARENT\"  >> {}']\n\
         points = [\"pre-tool-call\"]\nrole = \"observe\"\n",
        collector,
        out.display()
    );
    fs::write(file, settings + &more).expect("the settings");
    place
}

/// Runs an event of an agent that named its trace.
fn hook(place: &Place, program: &str, more: &[&str], event: &Value) -> Ran {
    let hooks = text(place.hooks.path());
    let mut arguments = vec!["hook", "--dialect", "claude", "--hooks", hooks];
    arguments.extend(more);
    let mut command = by(program, &place.command(&arguments));
    command.env("TRACEPARENT", format!("00-{TRACE}-{PARENT}-01"));
    run_with_input(&mut command, &event.to_string())
}

/// Checks that the event's span is in the agent's trace, and that the hook runs are in that span.
/// The script's parent is its run.
fn is_traced(collector: &Collector, place: &Place, name: &str) {
    let span = collector.span(name);
    assert_eq!(hex(&span.trace_id), TRACE);
    assert_eq!(hex(&span.parent_span_id), PARENT);
    assert_eq!(attributes(&span.attributes)["gen_ai.conversation.id"], "s");
    let runs = collector.spans();
    let run = |hook: &str| {
        let name = format!("run_hook {hook}");
        let found = runs.iter().filter(|run| run.name == name);
        let found: Vec<_> = found
            .filter(|run| run.parent_span_id == span.span_id)
            .collect();
        assert_eq!(found.len(), 1, "{}", collector.tree());
        hex(&found[0].span_id)
    };
    run("probe");
    let given = fs::read_to_string(place.state().join("variables")).expect("the script ran");
    let expected = format!("00-{TRACE}-{}-01", run("variables"));
    assert_eq!(given.lines().last(), Some(expected.as_str()));
    assert!(
        collector
            .taken
            .lock()
            .unwrap()
            .services
            .iter()
            .all(|service| service == "helpdesk")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_daemon_sends_what_it_has_once_it_is_terminated() {
    let collector = Collector::start().await;
    let place = place(&collector);
    tokio::task::block_in_place(|| {
        let daemon = Daemon::start(&place, &[]);
        let client = env!("CARGO_BIN_EXE_portcullis-client");
        let ran = hook(&place, client, &[], &tool_call("ls"));
        assert_eq!(
            ran.json()["hookSpecificOutput"]["permissionDecision"],
            "deny"
        );
        // The daemon sends at an interval, which has not passed yet.
        assert_eq!(collector.tree(), "");
        daemon.signal(Signal::TERM);
        assert_eq!(daemon.ended(), Some(0));
    });
    is_traced(&collector, &place, "POST /v1/events/{dialect}");
    let metrics = collector.taken.lock().unwrap().metrics.clone();
    for name in [
        "portcullis.events",
        "portcullis.sessions",
        "portcullis.hook.runs",
    ] {
        assert!(metrics.iter().any(|metric| metric == name), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_decided_without_a_daemon_is_sent_at_its_end() {
    let collector = Collector::start().await;
    let place = place(&collector);
    tokio::task::block_in_place(|| {
        let program = env!("CARGO_BIN_EXE_portcullis");
        let ran = hook(&place, program, &["--daemon", "never"], &tool_call("ls"));
        assert_eq!(
            ran.json()["hookSpecificOutput"]["permissionDecision"],
            "deny"
        );
    });
    is_traced(&collector, &place, "hook PreToolUse");
}

#[test]
fn a_collector_that_does_not_answer_is_not_waited_for_at_each_event() {
    // The system accepts the connections, and no process reads the data.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    let place = place_for(&address);
    let program = env!("CARGO_BIN_EXE_portcullis");
    let asks = || {
        let ran = hook(&place, program, &["--daemon", "never"], &tool_call("ls"));
        let decision = &ran.json()["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(*decision, "deny");
        silent.set_nonblocking(true).expect("a listener");
        let mut connections = 0;
        while silent.accept().is_ok() {
            connections += 1;
        }
        connections
    };
    assert_ne!(asks(), 0);
    assert_eq!(asks(), 0);
}
