//! The store on both databases. The tests of PostgreSQL run on a server of their own, and say NOT RUN
//! if it cannot be started.

mod checkpoints;
mod claims;
mod counted;
mod hosts;
mod jobs;
mod journal;
mod journal_writer;
mod memory;
mod opening;
mod overview;
mod recordings;
mod sessions;
mod state;
mod support;
mod turns;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use portcullis_postgres::Server;

use self::support::{Case, Place};

fn main() -> ExitCode {
    if let Ok(address) = std::env::var(hosts::VICTIM) {
        hosts::victim(&address).expect("the process lives until it is killed");
    }
    let arguments = Arguments::from_args();
    let cases: Vec<Case> = [
        opening::CASES,
        hosts::CASES,
        checkpoints::CASES,
        claims::CASES,
        jobs::CASES,
        journal::CASES,
        journal_writer::CASES,
        overview::CASES,
        counted::CASES,
        memory::CASES,
        recordings::CASES,
        sessions::CASES,
        state::CASES,
        turns::CASES,
    ]
    .concat();
    let mut trials = trials(&cases, "sqlite", Place::Sqlite);
    // No server for `--list`, which test runners use.
    let server = (!arguments.list).then(Server::start);
    match &server {
        Some(Ok(server)) => trials.extend(trials_of(server, &cases)),
        Some(Err(why)) => eprintln!("NOT RUN: the store on PostgreSQL: {why:#}"),
        None => {}
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop(server);
    conclusion.exit_code()
}

fn trials_of(server: &Server, cases: &[Case]) -> Vec<Trial> {
    trials(cases, "postgres", Place::Postgres(server.address().clone()))
}

fn trials(cases: &[Case], database: &str, place: Place) -> Vec<Trial> {
    let trial = |(name, run): &Case| {
        let (run, place) = (*run, place.clone());
        Trial::test(format!("{database}::{name}"), move || {
            support::play(run, &place).map_err(|error| format!("{error:?}").into())
        })
    };
    cases.iter().map(trial).collect()
}
