//! Alerts with real servers on the loopback, and real commands.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use futures::future::BoxFuture;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis_agent::{
    EventRow, HookEnd, HookRan, HookStart, LineCommand, RunEnd, RunRecorder, RunRow, RunState,
    next_run_id,
};
use portcullis_alerts::{Alert, Alerts, Measure, Rule, Secret, Target, Webhook};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A request that the server received.
struct Posted {
    head: String,
    body: Value,
}

/// A server on the loopback that answers with these statuses in turn, then with 204. A status of 0 never answers.
async fn server(statuses: &'static [u16]) -> (String, UnboundedReceiver<Posted>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, posted) = unbounded_channel();
    tokio::spawn(async move {
        let mut statuses = statuses.iter().copied();
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            let (mut head, mut length) = (String::new(), 0);
            while !head.ends_with("\r\n\r\n") {
                let from = head.len();
                if stream.read_line(&mut head).await.unwrap() == 0 {
                    break;
                }
                let line = head[from..].to_lowercase();
                if let Some(number) = line.strip_prefix("content-length:") {
                    length = number.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).await.unwrap();
            let body = serde_json::from_slice(&body).unwrap();
            sender.send(Posted { head, body }).unwrap();
            match statuses.next().unwrap_or(204) {
                // The connection is kept open.
                0 => drop(tokio::spawn(async move {
                    let _ = stream.read_to_end(&mut Vec::new()).await;
                })),
                status => {
                    let answer = format!(
                        "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                    );
                    stream.write_all(answer.as_bytes()).await.unwrap();
                }
            }
        }
    });
    (format!("http://{address}/alerts"), posted)
}

fn start(rules: Vec<Rule>) -> (Alerts, Receiver<Alert>) {
    let (sender, told) = channel();
    let alerts = Alerts::start(
        rules,
        |hook| hook == "observer",
        move |alert| drop(sender.send(alert.clone())),
    );
    (alerts.unwrap(), told)
}

/// Records a run and returns its id.
fn run(recorder: &dyn RunRecorder, hook: &str, cause: Option<&str>) -> i64 {
    let id = next_run_id();
    recorder.begin(RunRow {
        id,
        session: "s".into(),
        turn: 7,
        point: "pre-turn".into(),
        hook: hook.into(),
        ..RunRow::default()
    });
    let state = match cause {
        Some(_) => RunState::Failed,
        None => RunState::Completed,
    };
    recorder.end(
        id,
        RunEnd {
            cause: cause.map(|cause| cause.to_owned().into()),
            latency_us: Some(1_000),
            ..RunEnd::of(state)
        },
    );
    id
}

fn rule(target: Target) -> Rule {
    Rule {
        window: Duration::from_secs(3_600),
        targets: vec![target],
        ..Rule::new("broken", Measure::NotRun)
    }
}

#[tokio::test]
async fn a_webhook_is_called_once_for_an_alert_and_again_until_it_answers() {
    let (url, mut posted) = server(&[500, 302]).await;
    let webhook = Webhook {
        token: Some(Secret("secret".into())),
        ..Webhook::new(&url)
    };
    let (alerts, _told) = start(vec![rule(Target::Webhook(webhook))]);
    let recorder = alerts.recorder(None);
    run(&*recorder, "observer", Some("trap"));
    run(&*recorder, "guard", None);
    for _ in 0..50 {
        run(&*recorder, "guard", Some("trap"));
    }
    let mut ids = Vec::new();
    for _ in 0..3 {
        let Posted { head, body } = posted.recv().await.unwrap();
        let head = head.to_lowercase();
        assert!(head.starts_with("post /alerts "), "{head}");
        assert!(head.contains("authorization: bearer secret"), "{head}");
        assert!(head.contains("content-type: application/json"), "{head}");
        assert_eq!(body["alert"], "broken");
        assert_eq!(
            (&body["firing"], &body["hook"]),
            (&true.into(), &"guard".into())
        );
        assert_eq!(
            body["place"],
            serde_json::json!({ "session": "s", "turn": 7 })
        );
        assert!(body["causes"]["trap"].as_u64() > Some(0), "{body}");
        ids.push(body["id"].clone());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "the tries are of one alert");
    drop((recorder, alerts));
    // Nothing else was sent.
    assert!(posted.try_recv().is_err());
}

#[tokio::test]
async fn an_alert_is_resolved_once_its_hook_has_worked_for_a_while() {
    let (url, mut posted) = server(&[]).await;
    let rule = Rule {
        window: Duration::from_millis(50),
        cool_down: Duration::from_millis(50),
        ..rule(Target::Webhook(Webhook::new(&url)))
    };
    let (alerts, told) = start(vec![rule]);
    let recorder = alerts.recorder(None);
    run(&*recorder, "guard", Some("fuel"));
    let (fired, resolved) = (posted.recv().await.unwrap(), posted.recv().await.unwrap());
    assert_eq!(
        (&fired.body["firing"], &resolved.body["firing"]),
        (&true.into(), &false.into())
    );
    assert_eq!(fired.body["since-ms"], resolved.body["since-ms"]);
    assert_eq!(
        told.iter()
            .take(2)
            .map(|alert| alert.firing)
            .collect::<Vec<_>>(),
        [true, false]
    );
}

#[tokio::test]
async fn a_server_that_never_answers_holds_up_neither_runs_nor_other_targets() {
    let (url, mut stuck) = server(&[0]).await;
    let (other, mut posted) = server(&[]).await;
    let rules = [url, other].map(|url| rule(Target::Webhook(Webhook::new(url))));
    let (alerts, _told) = start(rules.into());
    let recorder = alerts.recorder(None);
    run(&*recorder, "guard", Some("trap"));
    stuck.recv().await.unwrap();
    // The alert of the other rule is delivered, and runs are still counted.
    posted.recv().await.unwrap();
    for _ in 0..20_000 {
        run(&*recorder, "guard", Some("trap"));
    }
    // Stuck deliveries are abandoned after some seconds at the end.
    let ended = tokio::task::spawn_blocking(move || drop((recorder, alerts)));
    ended.await.unwrap();
}

fn command(dir: &Path, script: &str) -> LineCommand {
    LineCommand {
        program: "sh".into(),
        args: vec!["-c".into(), script.into()],
        working_dir: Some(dir.to_owned()),
        inherit_env: Vec::new(),
        timeout: Duration::from_secs(60),
    }
}

#[test]
fn a_command_gets_the_alert_as_one_line_and_is_repeated_if_it_fails() {
    let dir = tempfile::tempdir().unwrap();
    let script = "cat >> tries; test $(wc -l < tries) -ge 2 && touch done";
    let (alerts, _told) = start(vec![rule(Target::Command(command(dir.path(), script)))]);
    let recorder = alerts.recorder(None);
    run(&*recorder, "guard", Some("deadline"));
    while !dir.path().join("done").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    drop((recorder, alerts));
    let tries = std::fs::read_to_string(dir.path().join("tries")).unwrap();
    let lines: Vec<Value> = tries
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], lines[1]);
    let said =
        "hook `guard` did not run 1 time in 3600 s (deadline); an alert is set at more than 0";
    assert_eq!(lines[0]["message"], said);
}

/// A recorder that keeps the calls it receives.
#[derive(Default)]
struct Journal(parking_lot::Mutex<Vec<String>>);

impl RunRecorder for Journal {
    fn begin(&self, row: RunRow) {
        self.0.lock().push(format!("begin {} {}", row.id, row.hook));
    }
    fn end(&self, id: i64, end: RunEnd) {
        self.0.lock().push(format!("end {id} {}", end.state));
    }
    fn hook_began(&self, start: HookStart) {
        self.begin(start.row());
    }
    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.end(id, end.end());
    }
    fn hook_ran(&self, ran: HookRan<'_>) {
        let start = ran.start();
        let id = start.id;
        self.hook_began(start);
        self.hook_ended(id, ran.end(true));
    }
    fn event(&self, _: EventRow) {}
    fn keeps_values(&self) -> bool {
        true
    }
    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }
    fn call(&self, _: RecordedCall) {}
    fn committed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

#[test]
fn the_journal_behind_has_every_run() {
    let (alerts, told) = start(vec![Rule {
        over: 0.5,
        at_least: 2,
        ..Rule::new("rate", Measure::FailureRate)
    }]);
    let journal = Arc::new(Journal::default());
    let recorder = alerts.recorder(Some(journal.clone()));
    assert!(recorder.keeps_values());
    let one = run(&*recorder, "observer", Some("trap"));
    let two = run(&*recorder, "observer", Some("trap"));
    assert_eq!(told.recv().unwrap().hook.as_deref(), Some("observer"));
    let kept = journal.0.lock().clone();
    assert_eq!(
        kept,
        [
            format!("begin {one} observer"),
            format!("end {one} failed"),
            format!("begin {two} observer"),
            format!("end {two} failed"),
        ]
    );
}
