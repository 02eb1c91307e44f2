//! Hook events of other agents.

use std::time::{Duration, Instant};

use portcullis::Hooks;
use portcullis_bridge::{Bridge, BridgeOptions, Decision};
use portcullis_dialects::{AnsweredEvent, Dialect, Event, answer_in_session};
use portcullis_serve::client::answer;
use portcullis_serve::{Listening, ServeOptions};
use portcullis_store::Store;
use reqwest::Client;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::cases::{Case, Sample, bridge};
use crate::server::{Place, event, start};

/// Returns an answer as text, without the ids of questions: each question has its own.
fn text(mut answered: AnsweredEvent) -> String {
    for call in &mut answered.calls {
        if let Decision::Pending { id, .. } = &mut call.decision {
            *id = 0;
        }
    }
    format!("{answered:?}")
}

/// Returns the answers of a case's hooks to its events, each as the daemon writes it and the client
/// reads it.
async fn by_daemon(dialect: Dialect, sample: &Sample, case: &Case) -> Vec<String> {
    let place = Place::new();
    let listening = Listening::bind(vec![place.unix()]).await.unwrap();
    let bridge = bridge(&case.says).unwrap();
    let stop = CancellationToken::new();
    let serving = listening.serve(bridge, &ServeOptions::default(), stop.clone());
    let events = sample.events(case);
    let asked = tokio::task::spawn_blocking(move || {
        let until = Instant::now() + Duration::from_secs(60);
        let ask = |event: &Value| {
            let event = event.to_string();
            answer(
                &place.daemon,
                &place.dir,
                dialect,
                event.as_bytes(),
                until,
                None,
            )
            .unwrap()
        };
        let answers = events.iter().map(|event| text(ask(event)));
        answers.collect::<Vec<_>>()
    });
    let answers = asked.await.unwrap();
    stop.cancel();
    serving.ended().await.unwrap();
    answers
}

async fn in_process(dialect: Dialect, sample: &Sample, case: &Case) -> Vec<String> {
    let bridge = bridge(&case.says).unwrap();
    let mut answers = Vec::new();
    for event in sample.events(case) {
        let event = Event::read(dialect, event.to_string().as_bytes()).unwrap();
        let answered = answer_in_session(&event, &bridge).await.unwrap();
        answers.push(text(answered));
    }
    answers
}

#[tokio::test]
async fn every_sample_is_answered_as_in_process() {
    let mut cases = 0;
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let sample = Sample::read(dialect, info.name).unwrap();
            for case in &sample.cases {
                let expected = in_process(dialect, &sample, case).await;
                let answers = by_daemon(dialect, &sample, case).await;
                assert_eq!(answers, expected, "{dialect} {}", info.name);
                cases += 1;
            }
        }
    }
    assert!(cases > 100, "{cases} cases");
}

#[tokio::test]
async fn events_of_one_session_are_answered_one_after_the_other() {
    let server = start(ServeOptions::default()).await;
    let post = |event: Value| server.post("/v1/events/claude", event.to_string());
    let second = async {
        server.begun().await;
        // An event of another session does not wait.
        let mut other = event("read");
        other["session_id"] = json!("other");
        assert_eq!(post(other).await.0, 200);
        let release = async {
            while !server
                .get("/metrics")
                .await
                .1
                .to_string()
                .contains("portcullis_in_flight 2")
            {
                tokio::task::yield_now().await;
            }
            assert_eq!(server.gate.0.available_permits(), 0, "both have begun");
            server.release();
            server.begun().await;
            server.release();
        };
        tokio::join!(post(event("slow")), release).0
    };
    let (first, second) = tokio::join!(post(event("slow")), second);
    assert_eq!((first.0, second.0), (200, 200));
}

#[tokio::test]
async fn what_is_remembered_is_in_the_store_before_the_answer_is() {
    let (place, store) = (Place::new(), Store::temporary().unwrap());
    let listening = Listening::bind(vec![place.unix()]).await.unwrap();
    let options = BridgeOptions {
        store: Some(store.clone()),
        ..BridgeOptions::default()
    };
    let bridge = Bridge::new(Hooks::none(), options).unwrap();
    let stop = CancellationToken::new();
    let serving = listening.serve(bridge, &ServeOptions::default(), stop.clone());
    let client = Client::builder()
        .unix_socket(place.socket())
        .build()
        .unwrap();
    let prompt = json!({"session_id": "e", "hook_event_name": "UserPromptSubmit", "prompt": "x"});
    for turn in 1..4 {
        let request = client.post("http://localhost/v1/events/claude");
        let response = request.body(prompt.to_string()).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let saved = store.sessions().get("e").await.unwrap();
        assert_eq!(saved.map(|session| session.turns), Some(turn));
    }
    stop.cancel();
    serving.ended().await.unwrap();
}
