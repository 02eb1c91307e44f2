//! Measures lists and statistics of a million hook runs, their size in the store, and the time to
//! write one. Uses SQLite, and PostgreSQL if it is installed.
//!
//! `cargo run --release -p portcullis-store --example runs`

use std::time::{Duration, Instant};

use anyhow::Context as _;
use portcullis_agent::{RunEnd, RunRecorder as _, RunRow, RunState, next_run_id};
use portcullis_postgres::Server;
use portcullis_store::{Journal, RunFilter, Store, StoreOptions, StoreUrl};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _};

/// The number of runs that are written through the journal, and the total number of runs.
const WRITTEN: i64 = 20_000;
const RUNS: i64 = 1_000_000;

/// The number of runs of each session.
const OF_SESSION: i64 = 500;

fn main() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("store.sqlite");
    measure("SQLite", &format!("sqlite:{}", file.display()), &|| {
        let written = std::fs::metadata(file.with_extension("sqlite-wal"));
        let log = written.map(|log| log.len()).unwrap_or_default();
        Ok(std::fs::metadata(&file)?.len() + log)
    })?;
    match Server::start() {
        Ok(server) => {
            let address = server.address().create("runs")?;
            measure("PostgreSQL", &address, &|| {
                let size = one(&address, "SELECT pg_total_relation_size('portcullis.runs')")?;
                Ok(size.unsigned_abs())
            })
        }
        Err(why) => {
            println!("NOT RUN: PostgreSQL: {why:#}");
            Ok(())
        }
    }
}

fn measure(
    name: &str,
    address: &str,
    size: &dyn Fn() -> anyhow::Result<u64>,
) -> anyhow::Result<()> {
    let url: StoreUrl = address.parse()?;
    let store = Store::open_blocking(url, StoreOptions::default())?;
    let journal = store.journal()?;
    println!("\n{name}");
    let began = Instant::now();
    for n in 0..WRITTEN {
        let id = next_run_id();
        journal.begin(RunRow {
            id,
            session: format!("0199aaaa-0000-7000-8000-{:012}", n / OF_SESSION),
            turn: u32::try_from(n % OF_SESSION / 20)? + 1,
            point: format!("point-{}", n / 40 % 12),
            hook: format!("hook-{}", n % 40),
            component: Some("c".repeat(64)),
            started_ms: 1_700_000_000_000 + n.unsigned_abs(),
            ..RunRow::default()
        });
        journal.end(
            id,
            RunEnd {
                outcome: Some("continue".into()),
                latency_us: Some(180),
                fuel: Some(4_200),
                used: Some(Vec::new()),
                ..RunEnd::of(RunState::Completed)
            },
        );
    }
    journal.flush()?;
    println!(
        "{:8.1} µs to write a run, its start and its end",
        micros(began) / WRITTEN as f64
    );
    fill(address)?;
    println!(
        "{:8} bytes a run, with its part of the indexes",
        size()? / RUNS.unsigned_abs()
    );
    statistics(&journal)?;
    lists(&journal)
}

/// Runs the queries of `portcullis stats`.
fn statistics(journal: &Journal) -> anyhow::Result<()> {
    let began = Instant::now();
    let hooks = journal.stats(&RunFilter::default())?;
    let runs: u64 = hooks.iter().map(|hook| hook.total.runs).sum();
    anyhow::ensure!(runs == RUNS.unsigned_abs(), "{runs} runs");
    println!(
        "{:8.2} s for the statistics of all runs",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Adds runs up to a million, with statements in the database.
fn fill(address: &str) -> anyhow::Result<()> {
    let is_sqlite = address.starts_with("sqlite");
    let (numbers, id, last) = match is_sqlite {
        true => (
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < LAST)",
            "n",
            "",
        ),
        false => ("", "generate_series(0, LAST) AS n(i)", "ANALYZE"),
    };
    let numbers = |last: i64, insert: &str| {
        let with = numbers.replace("LAST", &last.to_string());
        let from = id.replace("LAST", &last.to_string());
        format!("{with} {}", insert.replace("NUMBERS", &from))
    };
    let table = |name: &str| match is_sqlite {
        true => name.to_owned(),
        false => format!("portcullis.{name}"),
    };
    // Refusals are at half of the points.
    let kinds = format!(
        "INSERT INTO {} (hook, point, state, outcome, cause)
         SELECT 'hook-' || (i % 40), 'point-' || (i / 40 % 12), 'completed',
                CASE i / 480 WHEN 0 THEN 'continue' WHEN 1 THEN 'transform' ELSE 'reject' END, ''
         FROM NUMBERS WHERE i < 960 OR i / 40 % 12 < 6
         ON CONFLICT (hook, point, state, outcome, cause) DO NOTHING",
        table("run_kinds")
    );
    let outcome = "CASE WHEN (i % 10000 * 7919) % 100 < 5 AND i / 40 % 12 < 6 THEN 'reject'
                        WHEN (i % 10000 * 7919) % 100 < 20 THEN 'transform' ELSE 'continue' END";
    let runs = format!(
        "INSERT INTO {} (host, id, session, turn, step, point, hook, attempt, component, started_ms, state, ended_ms,
                         outcome, latency_us, fuel, used, kind)
         SELECT (SELECT min(id) FROM {}), i + 1000000,
                '0199aaaa-0000-7000-8000-' || substr('000000000000' || (i / {OF_SESSION}), -12),
                i % {OF_SESSION} / 20 + 1, 1, 'point-' || (i / 40 % 12), 'hook-' || (i % 40), 1,
                '{}', 1700000000000 + i, 'completed', 1700000000001 + i, {outcome}, 180, 4200, '[]',
                (SELECT id FROM {} AS kinds WHERE hook = 'hook-' || (i % 40) AND point = 'point-' || (i / 40 % 12)
                    AND state = 'completed' AND outcome = {outcome} AND cause = '')
         FROM NUMBERS WHERE i >= {WRITTEN}",
        table("runs"),
        table("hosts"),
        "c".repeat(64),
        table("run_kinds")
    );
    let runs = match is_sqlite {
        true => runs,
        false => runs.replace(
            "substr('000000000000' || (i / 500), -12)",
            "lpad((i / 500)::text, 12, '0')",
        ),
    };
    execute(address, &numbers(1_439, &kinds))?;
    execute(address, &numbers(RUNS - 1, &runs))?;
    match last {
        "" => execute(address, "PRAGMA wal_checkpoint(TRUNCATE)"),
        analyze => execute(address, analyze),
    }
}

fn lists(journal: &Journal) -> anyhow::Result<()> {
    let text = |text: &str| Some(text.to_owned());
    let all = || RunFilter {
        limit: 50,
        newest_first: true,
        ..RunFilter::default()
    };
    let session = text("0199aaaa-0000-7000-8000-000000000100");
    let cases = [
        ("all", all()),
        (
            "a session",
            RunFilter {
                session: session.clone(),
                ..all()
            },
        ),
        (
            "a session and a turn without a run",
            RunFilter {
                session: session.clone(),
                turn: Some(99),
                ..all()
            },
        ),
        (
            "a session and an outcome",
            RunFilter {
                session,
                outcome: text("reject"),
                ..all()
            },
        ),
        (
            "a hook",
            RunFilter {
                hook: text("hook-7"),
                ..all()
            },
        ),
        (
            "a hook that has no run",
            RunFilter {
                hook: text("none"),
                ..all()
            },
        ),
        (
            "a point",
            RunFilter {
                point: text("point-3"),
                ..all()
            },
        ),
        (
            "an outcome",
            RunFilter {
                outcome: text("reject"),
                ..all()
            },
        ),
        (
            "the most frequent outcome",
            RunFilter {
                outcome: text("continue"),
                ..all()
            },
        ),
        (
            "a point and an outcome that never meet",
            RunFilter {
                point: text("point-9"),
                outcome: text("reject"),
                ..all()
            },
        ),
        (
            "a hook, a point and an outcome",
            RunFilter {
                hook: text("hook-7"),
                point: text("point-3"),
                outcome: text("transform"),
                ..all()
            },
        ),
        (
            "a state",
            RunFilter {
                state: Some(RunState::Completed),
                ..all()
            },
        ),
        (
            "a state without a run",
            RunFilter {
                state: Some(RunState::Lost),
                ..all()
            },
        ),
        (
            "a cause without a run",
            RunFilter {
                cause: text("trap"),
                ..all()
            },
        ),
        (
            "since a time without a run",
            RunFilter {
                since_ms: Some(1_800_000_000_000),
                ..all()
            },
        ),
        (
            "until a time without a run",
            RunFilter {
                until_ms: Some(1_600_000_000_000),
                ..all()
            },
        ),
        (
            "until the middle",
            RunFilter {
                until_ms: Some(1_700_000_500_000),
                ..all()
            },
        ),
        (
            "an outcome since a time without a run",
            RunFilter {
                outcome: text("reject"),
                since_ms: Some(1_700_000_999_999),
                ..all()
            },
        ),
        (
            "an outcome within a second",
            RunFilter {
                outcome: text("reject"),
                since_ms: Some(1_700_000_500_000),
                until_ms: Some(1_700_000_501_000),
                ..all()
            },
        ),
        (
            "the oldest of an outcome",
            RunFilter {
                outcome: text("reject"),
                newest_first: false,
                ..all()
            },
        ),
        (
            "a thousand",
            RunFilter {
                limit: 1_000,
                ..all()
            },
        ),
    ];
    for (name, filter) in cases {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..5 {
            let began = Instant::now();
            found = journal.runs(&filter)?.len();
            times.push(micros(began) / 1e3);
        }
        times.sort_by(f64::total_cmp);
        let [first, .., last] = times[..] else {
            continue;
        };
        println!("{first:8.1} to {last:.1} ms for {found} runs: {name}");
    }
    Ok(())
}

fn micros(began: Instant) -> f64 {
    began.elapsed().max(Duration::from_nanos(1)).as_secs_f64() * 1e6
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?)
}

fn execute(address: &str, sql: &str) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let mut connection = sqlx::AnyConnection::connect(address).await?;
        connection
            .execute(AssertSqlSafe(sql.to_owned()))
            .await
            .context("filling the store")?;
        Ok(connection.close().await?)
    })
}

fn one(address: &str, sql: &str) -> anyhow::Result<i64> {
    runtime()?.block_on(async {
        let mut connection = sqlx::AnyConnection::connect(address).await?;
        let row = connection.fetch_one(AssertSqlSafe(sql.to_owned())).await?;
        Ok(row.try_get(0)?)
    })
}
