//! Jobs in a store.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis::contract::{BackgroundJob, ContributionKind};
use portcullis::points::{PromptPolicy, prompt_policy};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{
    AgentEvent, Job, JobError, JobHandler, JobId, JobStore, JobStoreError, TakenOver,
};
use serde_json::json;

use crate::support::{Bench, Trail, bench, responses};

/// A slow store that records its calls.
#[derive(Clone)]
struct Slow {
    trail: Trail,
    left: Arc<Mutex<TakenOver>>,
}

#[async_trait]
impl JobStore for Slow {
    async fn add(&self, job: &Job) -> Result<JobId, JobStoreError> {
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        self.trail.add(format!("add {}", job.input));
        match job.input["add"].as_str() {
            Some("fail") => Err(JobStoreError("it is full".into())),
            _ => Ok(JobId(7)),
        }
    }

    async fn start(&self, id: JobId) -> Result<Option<u32>, JobStoreError> {
        self.trail.add(format!("start {}", id.0));
        Ok([(7, 1), (8, 3)]
            .iter()
            .find(|of| of.0 == id.0)
            .map(|of| of.1))
    }

    async fn end(&self, id: JobId, error: Option<&str>) -> Result<(), JobStoreError> {
        self.trail.add(format!("end {} {error:?}", id.0));
        Ok(())
    }

    async fn take_over(&self, names: &[&str], most: usize) -> Result<TakenOver, JobStoreError> {
        assert_eq!((names, most), (&["index"][..], 256));
        Ok(std::mem::take(&mut *self.left.lock()))
    }
}

struct Handler(Trail);

#[async_trait]
impl JobHandler for Handler {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        self.0.add(format!("run {} {}", job.input, job.attempt));
        Ok(())
    }
}

fn agent(input: &'static str, left: TakenOver) -> Bench {
    let hook = NativeHook::new("worker")
        .contributes([ContributionKind::Job])
        .on::<PromptPolicy>(move |_| {
            Ok(prompt_policy::Outcome::Contribute(vec![
                prompt_policy::Contribution::Job(BackgroundJob {
                    name: "index".into(),
                    input: input.into(),
                }),
            ]))
        });
    bench(&responses(&[r#"{"text": "done"}"#]), |builder, trail| {
        let store = Slow {
            trail: trail.clone(),
            left: Arc::new(Mutex::new(left)),
        };
        builder
            .hooks(Hooks::none().with([hook]).unwrap())
            .job("index", Arc::new(Handler(trail.clone())))
            .job_store(Arc::new(store))
    })
}

fn job(input: u32, attempt: u32) -> Job {
    Job {
        name: "index".into(),
        input: json!(input),
        hook: "worker".into(),
        session_id: "gone".into(),
        root_session: "gone".into(),
        attempt,
    }
}

/// Returns the job events, as `what attempt`.
fn events(bench: &mut Bench) -> Vec<String> {
    let events = bench.events_so_far().into_iter();
    events
        .filter_map(|event| match event {
            AgentEvent::JobQueued { attempt, .. } => Some(format!("queued {attempt}")),
            AgentEvent::JobDone { attempt, .. } => Some(format!("done {attempt}")),
            AgentEvent::JobSkipped { reason, .. } => Some(format!("skipped {reason}")),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_job_is_in_the_store_before_the_turn_goes_on() {
    let mut bench = agent("1", TakenOver::default());
    let session = bench.session().await.turn("go").await;
    session.unwrap();
    assert_eq!(bench.trail.take().first().unwrap(), "add 1");
    assert_eq!(bench.agent.drain(Duration::from_secs(60)).await, 0);
    assert_eq!(events(&mut bench), ["queued 1", "done 1"]);
}

#[tokio::test]
async fn a_job_is_started_and_ended_in_the_store() {
    let bench = agent("1", TakenOver::default());
    bench.session().await.turn("go").await.unwrap();
    assert_eq!(bench.agent.drain(Duration::from_secs(60)).await, 0);
    assert_eq!(
        bench.trail.take(),
        ["add 1", "start 7", "run 1 1", "end 7 None"]
    );
}

#[tokio::test]
async fn a_job_runs_although_the_store_failed() {
    let bench = agent(r#"{"add":"fail"}"#, TakenOver::default());
    bench.session().await.turn("go").await.unwrap();
    assert_eq!(bench.agent.drain(Duration::from_secs(60)).await, 0);
    let job = r#"{"add":"fail"}"#;
    assert_eq!(
        bench.trail.take(),
        [format!("add {job}"), format!("run {job} 1")]
    );
}

#[tokio::test]
async fn jobs_of_a_dead_process_run_again_and_say_which_attempt_it_is() {
    let left = TakenOver {
        again: vec![(JobId(8), job(2, 3)), (JobId(9), job(3, 2))],
        given_up: vec![job(4, 4)],
    };
    let mut bench = agent("1", left);
    bench.agent.resume_jobs().await.unwrap();
    assert_eq!(bench.agent.drain(Duration::from_secs(60)).await, 0);
    let mut steps = bench.trail.take();
    steps.sort();
    assert_eq!(steps, ["end 8 None", "run 2 3", "start 8", "start 9"]);
    let events = events(&mut bench);
    assert!(
        events[0].contains("started 3 times, and each time its process ended"),
        "{events:?}"
    );
    for expected in [
        "queued 3",
        "queued 2",
        "done 3",
        "skipped it was deleted, or another process has it now",
    ] {
        assert!(events.iter().any(|event| event == expected), "{events:?}");
    }
}
