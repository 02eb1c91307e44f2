//! Filters for hook runs.

use portcullis::hooks::Mode;
use portcullis_agent::RunState;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

use crate::database::{query, signed, storable};
use crate::sql::Value;

/// Selects the hook runs that fit all its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFilter {
    /// The session. Default: any.
    pub session: Option<String>,
    /// The hook. Default: any.
    pub hook: Option<String>,
    /// The point. Default: any.
    pub point: Option<String>,
    /// The state. Default: any.
    pub state: Option<RunState>,
    /// The outcome. Default: any.
    pub outcome: Option<String>,
    /// The code of the cause of a failure. Default: any.
    pub cause: Option<String>,
    /// The mode of the hook. Default: any.
    pub mode: Option<Mode>,
    /// The turn of the session. Default: any.
    pub turn: Option<u32>,
    /// The earliest start, in milliseconds since the Unix epoch. Default: any.
    pub since_ms: Option<u64>,
    /// The time before which a run began, in milliseconds since the Unix epoch. Default: any.
    pub until_ms: Option<u64>,
    /// The maximum number of runs. Default: 1,000.
    pub limit: u32,
    /// Whether the newest runs come first, and are the ones within the limit. Default: the oldest.
    pub newest_first: bool,
}

impl Default for RunFilter {
    fn default() -> Self {
        Self {
            session: None,
            hook: None,
            point: None,
            state: None,
            outcome: None,
            cause: None,
            mode: None,
            turn: None,
            since_ms: None,
            until_ms: None,
            limit: 1_000,
            newest_first: false,
        }
    }
}

/// The expected number of kinds in a list. There may be more or fewer.
const KINDS: u32 = 50;

/// The maximum limit of a list that is read in parts. Longer lists are read whole.
const MOST_BOUNDED: u32 = 100_000;

/// The values `$1` and so on of a query.
type Values = Vec<Value<'static>>;

/// Conditions on columns, each after an `AND`.
#[derive(Default)]
struct Conditions(String);

impl Conditions {
    fn add(&mut self, compared: &str, value: Option<Value<'static>>, values: &mut Values) {
        if let Some(value) = value {
            values.push(value);
            self.0 += &format!(" AND {compared} ${}", values.len());
        }
    }
}

impl RunFilter {
    /// Returns the order of runs in a list.
    pub(super) fn order(&self) -> &'static str {
        match self.newest_first {
            true => "started_ms DESC, seq DESC",
            false => "started_ms, seq",
        }
    }

    /// Returns the conditions on kinds, the conditions on runs, and their values.
    fn conditions(&self) -> (String, String, Values) {
        let text = |text: &Option<String>| text.as_deref().map(|text| Value::from(storable(text)));
        let time = |ms: Option<u64>| ms.map(|ms| Value::from(signed(ms)));
        let state = self.state.map(|state| Value::from(state.code()));
        let turn = self.turn.map(Value::from);
        let mut values = Values::new();
        let (mut of_kind, mut of_run) = (Conditions::default(), Conditions::default());
        for (compared, value) in [
            ("hook =", text(&self.hook)),
            ("point =", text(&self.point)),
            ("state =", state),
            ("outcome =", text(&self.outcome)),
            ("cause =", text(&self.cause)),
        ] {
            of_kind.add(compared, value, &mut values);
        }
        for (compared, value) in [
            ("session =", text(&self.session)),
            ("turn =", turn),
            ("started_ms >=", time(self.since_ms)),
            ("started_ms <", time(self.until_ms)),
        ] {
            of_run.add(compared, value, &mut values);
        }
        if let Some(mode) = self.mode {
            // Not a parameter: there is an index of the runs in audit mode.
            of_run.0 += &format!(" AND mode = '{}'", mode.name());
        }
        (of_kind.0, of_run.0, values)
    }

    /// Selects columns of all runs that also fit a condition. Model calls are excluded: they are
    /// part of the runs that make them. A grouping or an order may follow the condition.
    pub(super) fn select(&self, columns: &str, also: &str) -> Query<'static, Any, AnyArguments> {
        let (of_kind, of_run, values) = self.conditions();
        // Runs of the kind 0 have not ended.
        let kinds = match of_kind.is_empty() {
            true => String::new(),
            false => format!(
                " AND kind IN (SELECT 0 UNION ALL SELECT id FROM run_kinds WHERE 1 = 1{of_kind})"
            ),
        };
        let sql = format!(
            "SELECT {columns} FROM runs WHERE 1 = 1{kinds}{of_kind}{of_run} AND point <> 'model' AND {also}"
        );
        query(AssertSqlSafe(sql), &values)
    }

    /// Returns a statement that selects the `seq` of the runs, and its values.
    ///
    /// Runs are found by their kind, so that an index answers each part and few other runs are
    /// read. The first part reads some first runs of each matching kind, in the list's order. They
    /// give a bound on the time of the list's last run. The second part reads the runs up to that
    /// bound. Runs that have not ended have no kind yet, and are few.
    pub(super) fn seqs(&self, lateral: bool) -> (String, Values) {
        let (of_kind, of_run, values) = self.conditions();
        let (order, limit) = (self.order(), self.limit);
        let is_short = self.mode == Some(Mode::Audit);
        if is_short || of_kind.is_empty() && self.session.is_none() {
            let sql = format!(
                "SELECT seq FROM runs WHERE 1 = 1{of_kind}{of_run} ORDER BY {order} LIMIT {limit}"
            );
            return (sql, values);
        }
        let (direction, reaches, end) = match self.newest_first {
            true => ("DESC", ">=", 0),
            false => ("ASC", "<=", i64::MAX),
        };
        let first = match limit {
            ..=MOST_BOUNDED => limit.div_ceil(KINDS),
            _ => 1,
        };
        let offset = limit.saturating_sub(1);
        // Selects the first runs of each of these kinds.
        let each = |kinds: &str, runs: &str, limit: u32| {
            let runs = format!(
                "SELECT seq, started_ms FROM runs
                 WHERE kind = kinds.kind{runs}{of_run} ORDER BY {order} LIMIT {limit}"
            );
            match lateral {
                true => format!(
                    "SELECT kinds.kind, each_run.seq, each_run.started_ms
                     FROM ({kinds}) AS kinds CROSS JOIN LATERAL ({runs}) AS each_run"
                ),
                // SQLite has no lateral join. It looks up each `seq` in a list.
                false => format!(
                    "SELECT kinds.kind, each_run.seq, each_run.started_ms
                     FROM ({kinds}) AS kinds CROSS JOIN runs AS each_run
                     ON each_run.seq IN (SELECT seq FROM ({runs}))"
                ),
            }
        };
        let some = each(
            &format!("SELECT id AS kind FROM run_kinds WHERE 1 = 1{of_kind}"),
            "",
            first,
        );
        let all = each(
            &format!(
                "SELECT DISTINCT kind FROM some_runs, bound WHERE started_ms {reaches} bound.at"
            ),
            &format!(" AND started_ms {reaches} (SELECT at FROM bound)"),
            limit,
        );
        let sql = format!(
            "WITH some_runs AS MATERIALIZED ({some}), bound AS MATERIALIZED (
                 SELECT coalesce((SELECT started_ms FROM some_runs
                     ORDER BY started_ms {direction} LIMIT 1 OFFSET {offset}), {end}) AS at
             ), found AS (
                 SELECT seq, started_ms FROM ({all}) AS of_kinds
                 UNION ALL
                 SELECT seq, started_ms FROM runs WHERE kind = 0{of_kind}{of_run}
             )
             SELECT seq FROM found ORDER BY {order} LIMIT {limit}"
        );
        (sql, values)
    }
}
