//! The tables and their versions.
//!
//! A migration is a file for each database, with the same number. Add files; do not change released
//! ones.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Executor as _, Row as _, SqlSafeStr as _};

use crate::database::{self, Database, Kind, STORE_LOCK};
use crate::error::with_fix;

/// Marks an SQLite file as a store: "PCST".
const APPLICATION_ID: i64 = 0x5043_5354;

/// A version: its description, and its SQL for SQLite and for PostgreSQL.
macro_rules! versions {
    ($($file:literal),* $(,)?) => {
        &[$((
            $file,
            include_str!(concat!("../migrations/sqlite/", $file, ".sql")),
            include_str!(concat!("../migrations/postgres/", $file, ".sql")),
        )),*]
    };
}

/// The versions, in order; the first has the number 1.
const VERSIONS: &[(&str, &str, &str)] = versions![
    "1_checkpoints",
    "2_journal",
    "3_memory",
    "4_sessions",
    "5_jobs",
    "6_state",
    "7_jobs_working_dir",
    "8_owners",
    "9_checkpoint_roots",
    "10_checkpoint_parents",
    "11_run_modes",
    "12_run_grants",
    "13_events",
    "14_turns",
    "15_run_memory",
    "16_run_kinds",
    "17_journal_sessions",
    "18_recordings",
    "19_workers",
    "20_run_would",
    "21_feed",
    "22_answers",
    "23_feed_times",
    "24_recording_sessions",
    "25_recorded_files",
    "26_feed_begun",
    "27_run_added",
    "28_turn_engine",
    "29_audit",
    "30_memory_working_dir",
    "31_quarantine_settings",
];

/// Creates the tables, or migrates them to this version.
pub(crate) async fn migrate(database: &Database) -> Result<(), String> {
    let text = |error: sqlx::Error| with_fix(&error);
    let mut connection = database.pool().acquire().await.map_err(text)?;
    match database.kind() {
        Kind::Sqlite => check_ours(&mut connection).await?,
        Kind::Postgres => create_schema(&mut connection).await.map_err(text)?,
    }
    drop(connection);
    // One transaction for all versions, because another process may be creating the tables.
    let mut transaction = database.write().await.map_err(|e| e.to_string())?;
    if database.kind() == Kind::Postgres {
        // In PostgreSQL, `CREATE TABLE IF NOT EXISTS` fails if another transaction creates the table.
        let lock = format!("SELECT pg_advisory_xact_lock({STORE_LOCK}, 0)");
        let lock = AssertSqlSafe(lock);
        transaction.execute(lock).await.map_err(text)?;
    }
    migrator(database.kind())
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(explained)?;
    if database.kind() == Kind::Sqlite {
        let mark = format!("PRAGMA application_id = {APPLICATION_ID}");
        let mark = AssertSqlSafe(mark);
        transaction.execute(mark).await.map_err(text)?;
    }
    transaction.commit().await.map_err(text)?;
    if database.kind() == Kind::Sqlite {
        let mut connection = database.pool().acquire().await.map_err(text)?;
        database::use_wal(&mut connection).await.map_err(text)?;
    }
    Ok(())
}

fn migrator(kind: Kind) -> Migrator {
    let versions = (1..).zip(VERSIONS);
    let migrations = versions.map(|(number, (description, sqlite, postgres))| {
        let sql = match kind {
            Kind::Sqlite => *sqlite,
            Kind::Postgres => *postgres,
        };
        Migration::new(
            number,
            (*description).into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

/// Refuses an SQLite file that is not a store.
async fn check_ours(connection: &mut AnyConnection) -> Result<(), String> {
    let sql = "SELECT (SELECT application_id FROM pragma_application_id),
                      (SELECT count(*) FROM sqlite_schema)";
    let row = connection.fetch_one(sql).await.map_err(|e| with_fix(&e))?;
    let number = |index| row.try_get::<i64, _>(index).map_err(|e| e.to_string());
    let (id, tables) = (number(0)?, number(1)?);
    match (id, tables) {
        (APPLICATION_ID, _) | (0, 0) => Ok(()),
        _ => Err("it is a database of something else: name another file".into()),
    }
}

/// Creates the schema of the tables, so that the database may have other tables too.
async fn create_schema(connection: &mut AnyConnection) -> sqlx::Result<()> {
    let sql = "SELECT 1::BIGINT FROM pg_catalog.pg_namespace WHERE nspname = 'portcullis'";
    if connection.fetch_optional(sql).await?.is_none() {
        let sql = "CREATE SCHEMA IF NOT EXISTS portcullis";
        match connection.execute(sql).await {
            // Another process has created the schema at the same time.
            Err(sqlx::Error::Database(e)) if e.is_unique_violation() => {}
            done => {
                done?;
            }
        }
    }
    Ok(())
}

fn explained(error: MigrateError) -> String {
    let known = VERSIONS.len();
    match error {
        MigrateError::VersionMissing(found) => format!(
            "its tables are of version {found}, and this program knows only {known}: use the \
             version of Portcullis that wrote it, or name another store"
        ),
        MigrateError::VersionMismatch(version) => format!(
            "version {version} of its tables is not this program's: use the version of Portcullis \
             that wrote it, or name another store"
        ),
        MigrateError::Execute(error) => with_fix(&error),
        MigrateError::ExecuteMigration(error, version) => format!(
            "version {version} of its tables cannot be made: {}",
            with_fix(&error)
        ),
        other => other.to_string(),
    }
}
