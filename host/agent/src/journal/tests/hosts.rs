//! Hosts that share a file, end and crash. The crashes are those of real processes.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::*;

/// The variable that names the file to the process that will be killed.
const VICTIM: &str = "PORTCULLIS_TEST_JOURNAL_VICTIM";

#[test]
fn victim() {
    let Some(path) = std::env::var_os(VICTIM) else {
        return;
    };
    let journal = Journal::open(path.as_ref()).unwrap();
    for id in 1..=3 {
        journal.begin(row(id, "h"));
    }
    journal.end(1, ended(RunState::Completed, 5));
    journal.end(2, ended(RunState::Backgrounded, 5));
    journal.flush().unwrap();
    println!("\nready");
    std::thread::park();
}

/// Starts the process and waits until it has two open runs.
fn start_victim(path: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "journal::tests::hosts::victim"])
        .env(VICTIM, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"));
    child
}

fn locks(path: &Path) -> usize {
    let entries = path.parent().unwrap().read_dir().unwrap();
    entries
        .filter(|e| e.as_ref().unwrap().path().extension() == Some("lock".as_ref()))
        .count()
}

#[test]
fn the_runs_of_a_dead_host_are_settled_once_and_a_live_hosts_are_not() {
    let (_dir, path) = file();
    let mut victim = start_victim(&path);
    let beside = Journal::open(&path).unwrap();
    assert_eq!(beside.settled(), [], "it lives");
    victim.kill().unwrap();
    victim.wait().unwrap();

    let journal = Journal::open(&path).unwrap();
    let settled: Vec<_> = journal.settled().iter().map(|r| r.row.id).collect();
    assert_eq!(settled, [2, 3]);
    let lost = journal
        .runs(&RunFilter {
            state: Some(RunState::Lost),
            ..RunFilter::default()
        })
        .unwrap();
    assert_eq!(lost, journal.settled());
    assert!(
        lost.iter()
            .all(|run| run.ended_ms > Some(1_700_000_000_000))
    );
    assert_eq!(Journal::open(&path).unwrap().settled(), []);
    assert_eq!(locks(&path), 2, "the victim's is gone");
    drop((journal, beside));
    assert_eq!(locks(&path), 0);
}

#[test]
fn two_live_hosts_share_a_file() {
    let (_dir, path) = file();
    let (one, two) = (Journal::open(&path).unwrap(), Journal::open(&path).unwrap());
    assert_ne!(one.host(), two.host());
    for journal in [&one, &two] {
        let id = journal.next_id();
        journal.begin(row(id, "h"));
        journal.flush().unwrap();
    }
    assert_eq!(Journal::open(&path).unwrap().settled(), []);
    for journal in [&one, &two] {
        journal.end(1, ended(RunState::Completed, 1));
    }
    one.flush().unwrap();
    let runs = two.runs(&RunFilter::default()).unwrap();
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run.state == RunState::Completed));
}

#[test]
fn a_removed_lock_file_does_not_make_a_live_host_dead() {
    let (dir, path) = file();
    let journal = Journal::open(&path).unwrap();
    journal.begin(row(1, "h"));
    journal.flush().unwrap();
    for entry in dir.path().read_dir().unwrap() {
        let entry = entry.unwrap().path();
        if entry.extension() == Some("lock".as_ref()) {
            std::fs::remove_file(entry).unwrap();
        }
    }
    assert_eq!(Journal::open(&path).unwrap().settled(), []);
    let long_ago = "UPDATE hosts SET heartbeat_ms = 1 WHERE ended_ms IS NULL";
    let connection = Connection::open(&path).unwrap();
    connection.execute(long_ago, []).unwrap();
    assert_eq!(Journal::open(&path).unwrap().settled().len(), 1);
}

#[test]
fn open_runs_of_a_host_that_ended_are_lost() {
    let (_dir, path) = file();
    let journal = Journal::open(&path).unwrap();
    journal.begin(row(1, "h"));
    drop(journal);
    assert_eq!(Journal::open(&path).unwrap().settled().len(), 1);
}
