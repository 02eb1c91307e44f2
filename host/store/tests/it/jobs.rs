//! Background jobs whose process ends first.

use std::collections::BTreeSet;

use portcullis_agent::{Job, JobStore as _, MAX_JOB_ATTEMPTS};
use portcullis_store::{AgentJobs, JobState, Store};
use serde_json::json;

use crate::hosts::start_victim;
use crate::support::{Empty, cases};

cases![
    a_job_of_a_killed_process_is_taken_over_once_and_a_live_ones_is_not,
    a_job_is_given_up_after_its_last_attempt,
    jobs_that_ended_are_not_taken_over,
    only_the_owner_with_a_handler_and_room_takes_jobs_over,
    two_processes_share_the_jobs_of_a_dead_one,
    a_deleted_job_is_not_started,
];

pub fn job(input: u32) -> Job {
    Job {
        name: "index".into(),
        input: json!({ "n": input, "nul": "\u{0}" }),
        hook: "worker".into(),
        session_id: "s".into(),
        root_session: "s".into(),
        attempt: 1,
    }
}

pub fn jobs(store: &Store) -> AgentJobs {
    store.jobs().of("a", "/d")
}

async fn a_job_of_a_killed_process_is_taken_over_once_and_a_live_ones_is_not(
    empty: Empty,
) -> anyhow::Result<()> {
    let mut victim = start_victim(&empty.address)?;
    let store = empty.open().await?;
    let jobs = jobs(&store);
    assert_eq!(jobs.take_over(&["index"], 9).await?, Default::default());
    assert_eq!(store.jobs().list().await?[0].state, JobState::Running);
    victim.kill()?;
    victim.wait()?;

    let mut taken = jobs.take_over(&["index"], 9).await?;
    // The server detects a moment later that its client is gone.
    while empty.url.file().is_none() && taken.again.is_empty() {
        taken = jobs.take_over(&["index"], 9).await?;
    }
    let again = Job {
        attempt: 2,
        ..job(1)
    };
    let (id, taken_over) = taken.again.remove(0);
    assert_eq!((taken_over, taken), (again, Default::default()));
    let other = empty.open().await?;
    assert_eq!(
        self::jobs(&other).take_over(&["index"], 9).await?,
        Default::default()
    );
    assert_eq!(jobs.start(id).await?, Some(2));
    jobs.end(id, None).await?;
    let listed = store.jobs().list().await?;
    assert_eq!((listed[0].state, listed[0].attempt), (JobState::Done, 2));
    assert!(listed[0].ended_ms >= Some(listed[0].queued_ms));
    Ok(())
}

async fn a_job_is_given_up_after_its_last_attempt(empty: Empty) -> anyhow::Result<()> {
    let id = jobs(&empty.open().await?).add(&job(1)).await?;
    for attempt in 1..=MAX_JOB_ATTEMPTS {
        let store = empty.open().await?;
        let taken = jobs(&store).take_over(&["index"], 9).await?;
        assert_eq!(taken.again.len(), 1, "{attempt}");
        assert_eq!(taken.again[0].1.attempt, attempt);
        assert_eq!(jobs(&store).start(id).await?, Some(attempt));
    }
    let store = empty.open().await?;
    assert_eq!(store.jobs().list().await?[0].state, JobState::Waiting);
    let taken = jobs(&store).take_over(&["index"], 9).await?;
    assert_eq!((taken.again.len(), taken.given_up.len()), (0, 1));
    assert_eq!(
        jobs(&store).take_over(&["index"], 9).await?,
        Default::default()
    );
    let listed = store.jobs().list().await?;
    assert_eq!((listed[0].state, listed[0].attempt), (JobState::Failed, 3));
    assert!(listed[0].error.as_ref().unwrap().contains("given up"));
    Ok(())
}

async fn jobs_that_ended_are_not_taken_over(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    for error in [None, Some("broken")] {
        let id = jobs(&store).add(&job(1)).await?;
        assert_eq!(jobs(&store).start(id).await?, Some(1));
        jobs(&store).end(id, error).await?;
    }
    drop(store);
    let store = empty.open().await?;
    assert_eq!(
        jobs(&store).take_over(&["index"], 9).await?,
        Default::default()
    );
    let listed = store.jobs().list().await?;
    assert_eq!(listed[0].error.as_deref(), Some("broken"));
    assert_eq!(listed[1].state, JobState::Done);
    Ok(())
}

async fn only_the_owner_with_a_handler_and_room_takes_jobs_over(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    for n in 1..=3 {
        jobs(&store).add(&job(n)).await?;
    }
    drop(store);
    let store = empty.open().await?;
    for (agent, dir, name, most) in [
        ("b", "/d", "index", 9),
        ("a", "/e", "index", 9),
        ("a", "/d", "other", 9),
        ("a", "/d", "index", 0),
    ] {
        let taken = store.jobs().of(agent, dir).take_over(&[name], most).await?;
        assert_eq!(taken, Default::default(), "{agent} {dir} {name} {most}");
    }
    let mut inputs = Vec::new();
    for most in [2, 2] {
        let taken = jobs(&store).take_over(&["other", "index"], most).await?;
        inputs.extend(taken.again.iter().map(|(_, job)| job.input["n"].as_u64()));
    }
    assert_eq!(inputs, [Some(1), Some(2), Some(3)]);
    Ok(())
}

async fn two_processes_share_the_jobs_of_a_dead_one(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    for n in 0..40 {
        jobs(&store).add(&job(n)).await?;
    }
    drop(store);
    let (one, two) = (empty.open().await?, empty.open().await?);
    let (one, two) = (jobs(&one), jobs(&two));
    let (mut ids, mut count) = (BTreeSet::new(), 0);
    while count < 40 {
        let taken = futures::join!(one.take_over(&["index"], 4), two.take_over(&["index"], 4));
        for (id, _) in taken.0?.again.into_iter().chain(taken.1?.again) {
            ids.insert(id);
            count += 1;
        }
    }
    assert_eq!((ids.len(), count), (40, 40));
    Ok(())
}

async fn a_deleted_job_is_not_started(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let id = jobs(&store).add(&job(1)).await?;
    assert_eq!(store.sessions().delete("s", true).await?.jobs, 1);
    assert_eq!(jobs(&store).start(id).await?, None);
    Ok(())
}
