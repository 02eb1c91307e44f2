//! Notes and background jobs.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::{AuditNote, BackgroundJob, ContributionKind, ExecutionPolicy, HookRole};
use portcullis::points::{PostTurn, PromptPolicy, post_turn, prompt_policy};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{Agent, AgentEvent, Job, JobError, JobHandler, NewSession, Script};
use serde_json::json;

use crate::support::{Bench, Trail, bench, quick, responses};

struct Handler(Trail);

#[async_trait]
impl JobHandler for Handler {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        self.0
            .add(format!("{} {} {}", job.hook, job.name, job.input));
        match job.input["do"].as_str() {
            Some("fail") => Err(JobError("as asked".into())),
            Some("panic") => panic!("as asked"),
            Some("wait") => {
                tokio::time::sleep(Duration::from_secs(600)).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn job(name: &str, input: &str) -> BackgroundJob {
    BackgroundJob {
        name: name.into(),
        input: input.into(),
    }
}

fn leaves(job: BackgroundJob) -> NativeHook {
    NativeHook::new("worker")
        .contributes([ContributionKind::Job])
        .on::<PromptPolicy>(move |_| {
            Ok(prompt_policy::Outcome::Contribute(vec![
                prompt_policy::Contribution::Job(job.clone()),
            ]))
        })
}

async fn turn(hook: NativeHook) -> Bench {
    let bench = bench(&responses(&[r#"{"text": "done"}"#]), |builder, trail| {
        builder
            .hooks(Hooks::none().with([hook]).unwrap())
            .job("index", Arc::new(Handler(trail.clone())))
    });
    bench.session().await.turn("go").await.unwrap();
    bench
}

/// Returns the job events, as `what name error`.
fn job_events(bench: &mut Bench) -> Vec<String> {
    let events = bench.events_so_far().into_iter();
    events
        .filter_map(|event| match event {
            AgentEvent::JobQueued { name, .. } => Some(format!("queued {name}")),
            AgentEvent::JobDone { name, error, .. } => Some(format!("done {name} {error:?}")),
            AgentEvent::JobSkipped { name, reason, .. } => Some(format!("skipped {name} {reason}")),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_job_runs_outside_of_the_turn_and_is_reported() {
    for (input, end) in [
        (r#"{"do":"work"}"#, "done index None"),
        (r#"{"do":"fail"}"#, "done index Some(\"as asked\")"),
        (
            r#"{"do":"panic"}"#,
            "done index Some(\"its handler panicked\")",
        ),
    ] {
        let mut bench = turn(leaves(job("index", input))).await;
        assert_eq!(bench.agent.drain(Duration::from_secs(10)).await, 0);
        assert_eq!(bench.trail.take(), [format!("worker index {input}")]);
        assert_eq!(job_events(&mut bench), ["queued index", end]);
    }
}

#[tokio::test]
async fn a_job_without_a_handler_is_reported() {
    let mut bench = turn(leaves(job("unknown", "1"))).await;
    assert_eq!(
        job_events(&mut bench),
        ["skipped unknown no handler is registered under its name"]
    );
}

#[tokio::test]
async fn draining_keeps_its_time_limit() {
    let bench = turn(leaves(job("index", r#"{"do":"wait"}"#))).await;
    assert_eq!(bench.agent.drain(Duration::from_millis(20)).await, 1);
}

#[tokio::test]
async fn notes_and_jobs_of_detached_runs_are_reported_too() {
    let hook = NativeHook::new("looker")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background)
        .contributes([ContributionKind::Note, ContributionKind::Job])
        .on::<PostTurn>(|_| {
            Ok(post_turn::Outcome::Contribute(vec![
                post_turn::Contribution::Note(AuditNote {
                    code: "seen".into(),
                    data: r#"{"n":1}"#.into(),
                }),
                post_turn::Contribution::Job(job("index", "2")),
            ]))
        });
    let mut bench = turn(hook).await;
    assert_eq!(bench.agent.drain(Duration::from_secs(10)).await, 0);
    assert_eq!(bench.trail.take(), ["looker index 2"]);
    let noted = bench
        .events_so_far()
        .into_iter()
        .find_map(|event| match event {
            AgentEvent::Note { hook, code, data } => Some((hook, code, data)),
            _ => None,
        });
    let expected = ("looker".to_owned(), "seen".to_owned(), json!({ "n": 1 }));
    assert_eq!(noted, Some(expected));
}

/// A handler that records the owners of its jobs.
struct Whose(Trail);

#[async_trait]
impl JobHandler for Whose {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        let own = job.session_id == "outermost";
        self.0.add(format!("{own} {}", job.root_session));
        Ok(())
    }
}

#[tokio::test]
async fn a_job_of_a_sub_agent_names_the_outermost_session() {
    let asks = |helper: &str| {
        format!(
            r#"{{"tool_calls": [{{"id": "1", "name": "{helper}", "arguments": {{"task": "x"}}}}]}}"#
        )
    };
    let agent = |script: &str| {
        let script = Script::parse(script).unwrap();
        Agent::builder()
            .providers(script.providers())
            .config(quick())
    };
    let innermost = agent(&responses(&[r#"{"text": "done"}"#]));
    let middle = agent(&responses(&[&asks("inner"), r#"{"text": "done"}"#])).subagent(
        "inner",
        "Helps.",
        innermost.build().unwrap(),
    );
    let hook = leaves(job("index", "1"));
    let bench = bench(
        &responses(&[&asks("middle"), r#"{"text": "done"}"#]),
        |builder, trail| {
            builder
                .hooks(Hooks::none().with([hook]).unwrap())
                .subagent("middle", "Helps.", middle.build().unwrap())
                .job("index", Arc::new(Whose(trail.clone())))
        },
    );
    let new = NewSession {
        id: "outermost".into(),
        ..NewSession::default()
    };
    let mut session = bench.agent.session(new).await.unwrap();
    session.turn("go").await.unwrap();
    assert_eq!(bench.agent.drain(Duration::from_secs(10)).await, 0);
    let mut whose = bench.trail.take();
    whose.sort();
    assert_eq!(
        whose,
        ["false outermost", "false outermost", "true outermost"]
    );
}
