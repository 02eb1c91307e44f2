//! Hooks whose answers count in a share of the sessions.

use std::path::Path;

use portcullis::hooks::{CacheChoice, Mode, Share};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::{Hooks, LoadOptions, NativeHook};
use portcullis_agent::{Agent, AgentConfig, JournalEvent, NewSession, Script, TurnOrigin};
use portcullis_store::{Journal, JournalRun, RunFilter, Store};

use crate::support::{Bench, bench, quick, rejection, responses};

/// Returns a directory's hooks, with a guard that refuses sub-agents' turns and lets all else pass.
fn hooks(dir: &Path, settings: &str) -> Hooks {
    std::fs::write(dir.join("hooks.toml"), settings).unwrap();
    let guard = NativeHook::new("guard").on::<PreTurn>(|call| {
        Ok(match call.views.session.parent {
            Some(_) => pre_turn::Outcome::Reject(rejection("no", "no helpers")),
            None => pre_turn::Outcome::Continue,
        })
    });
    let options = LoadOptions {
        native: vec![guard],
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    Hooks::load(dir, &options).unwrap()
}

/// Returns an agent whose turns call a sub-agent.
fn agent(hooks: Hooks, journal: &Journal) -> Bench {
    let child = responses(&[r#"{"text": "found"}"#; 64]);
    let child = Agent::builder()
        .providers(Script::parse(&child).unwrap().providers())
        .config(AgentConfig {
            name: "helper".into(),
            ..quick()
        });
    let asks = r#"{"tool_calls": [{"name": "helper", "arguments": {"task": "x"}}]}"#;
    let turns = [[asks, r#"{"text": "done"}"#]; 64];
    let journal = journal.clone();
    bench(&responses(&turns.concat()), |builder, _| {
        let builder = builder.hooks(hooks).journal(journal);
        builder.subagent("helper", "Helps.", child.build().unwrap())
    })
}

/// Returns the runs of a session and its sub-agent, and the mode that the session was opened with.
async fn turn(bench: &Bench, journal: &Journal, id: &str) -> (Vec<JournalRun>, Mode) {
    let mut session = bench
        .agent
        .session(NewSession {
            id: id.to_owned(),
            ..NewSession::default()
        })
        .await
        .unwrap();
    let end = session.turn("go").await.unwrap();
    let report = end.done().unwrap();
    assert!(matches!(report.origin, TurnOrigin::Model), "{report:?}");
    session.close().await;
    journal.flush_async().await.unwrap();
    let (journal, id) = (journal.clone(), id.to_owned());
    let read = move || {
        let events = journal.events(&id).unwrap();
        let opened = events.into_iter().find_map(|event| match event.row.event {
            JournalEvent::SessionOpened { hooks, .. } => Some(hooks[0].mode),
            _ => None,
        });
        let newest = RunFilter {
            newest_first: true,
            limit: 2,
            ..RunFilter::default()
        };
        (journal.runs(&newest).unwrap(), opened.unwrap())
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}

#[tokio::test]
async fn sessions_of_the_share_are_guarded_with_their_subagents_and_the_others_are_audited() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Store::temporary().unwrap().journal().unwrap();
    let settings = "[hooks.guard]\nshare = 0.5\n";
    let bench = agent(hooks(dir.path(), settings), &journal);
    let share = Share::try_from(0.5).unwrap();
    let mut of = [0, 0];
    for n in 0..16 {
        let id = format!("session-{n}");
        let mode = match share.has("guard", &id) {
            true => Mode::Enforce,
            false => Mode::Audit,
        };
        of[usize::from(mode == Mode::Audit)] += 1;
        let (runs, opened) = turn(&bench, &journal, &id).await;
        assert_eq!(opened, mode, "{id}");
        // The sub-agent's run is first, because the newest runs are first. It is in another
        // session.
        assert!(
            runs[0].row.session != id && runs[1].row.session == id,
            "{runs:#?}"
        );
        for run in &runs {
            assert_eq!(run.end.mode, Some(mode), "{id}: {run:?}");
        }
        assert_eq!(runs[0].end.outcome.as_deref(), Some("reject"));
    }
    assert!(of.iter().all(|count| *count > 2), "{of:?}");
}

#[tokio::test]
async fn a_larger_share_is_taken_up_by_a_reload_and_a_smaller_one_disarms() {
    let dir = tempfile::tempdir().unwrap();
    let hooks = hooks(dir.path(), "[hooks.guard]\nmode = \"audit\"\n");
    let reload = |settings: &str| {
        std::fs::write(dir.path().join("hooks.toml"), settings).unwrap();
        match hooks.reload() {
            portcullis::reload::Reload::Done(done) => done,
            other => panic!("{other:?}"),
        }
    };
    for (settings, disarmed) in [
        ("[hooks.guard]\nshare = 0.5\n", 0),
        ("[hooks.guard]\n", 0),
        ("[hooks.guard]\nshare = 0.2\n", 1),
        ("[hooks.guard]\nmode = \"audit\"\n", 1),
    ] {
        let done = reload(settings);
        assert_eq!(done.changes.len(), 1, "{settings}: {done:?}");
        assert_eq!(done.disarmed().count(), disarmed, "{settings}: {done:?}");
    }
}
