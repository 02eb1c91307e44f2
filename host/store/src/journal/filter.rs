//! Which hook runs are wanted.

use portcullis_agent::RunState;

use crate::database::{signed, storable};

/// Selects the hook runs that fit all its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFilter {
    /// Of this session. Default: any.
    pub session: Option<String>,
    /// Of this hook. Default: any.
    pub hook: Option<String>,
    /// At this point. Default: any.
    pub point: Option<String>,
    /// In this state. Default: any.
    pub state: Option<RunState>,
    /// With this outcome. Default: any.
    pub outcome: Option<String>,
    /// Failed with the cause of this code. Default: any.
    pub cause: Option<String>,
    /// In this turn of its session. Default: any.
    pub turn: Option<u32>,
    /// Begun at this time or later, in milliseconds since the Unix epoch. Default: any.
    pub since_ms: Option<u64>,
    /// Begun before this time, in milliseconds since the Unix epoch. Default: any.
    pub until_ms: Option<u64>,
    /// The most runs. Default: 1,000.
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
            turn: None,
            since_ms: None,
            until_ms: None,
            limit: 1_000,
            newest_first: false,
        }
    }
}

/// A value that a column is compared with.
pub(super) enum Operand {
    Text(String),
    Number(i64),
}

/// A filter as SQL. `values` are `$1` and so on.
pub(super) struct Conditions {
    pub(super) sql: String,
    pub(super) values: Vec<Operand>,
}

impl RunFilter {
    pub(super) fn conditions(&self) -> Conditions {
        let text =
            |text: &Option<String>| text.as_deref().map(|text| Operand::Text(storable(text)));
        let time = |ms: Option<u64>| ms.map(|ms| Operand::Number(signed(ms)));
        let state = self
            .state
            .map(|state| Operand::Text(state.code().to_owned()));
        let turn = self.turn.map(|turn| Operand::Number(turn.into()));
        let wanted = [
            ("session =", text(&self.session)),
            ("hook =", text(&self.hook)),
            ("point =", text(&self.point)),
            ("state =", state),
            ("outcome =", text(&self.outcome)),
            ("cause =", text(&self.cause)),
            ("turn =", turn),
            ("started_ms >=", time(self.since_ms)),
            ("started_ms <", time(self.until_ms)),
        ];
        let mut conditions = Conditions {
            sql: "1 = 1".to_owned(),
            values: Vec::new(),
        };
        for (compared, value) in wanted {
            if let Some(value) = value {
                conditions.values.push(value);
                conditions.sql += &format!(" AND {compared} ${}", conditions.values.len());
            }
        }
        for index in self.partial_indexes() {
            conditions.sql += " AND ";
            conditions.sql += index;
        }
        conditions
    }

    /// What partial indexes cover, in the words of the migration: a database uses one only if the query says so.
    fn partial_indexes(&self) -> impl Iterator<Item = &'static str> {
        let state = self.state.and_then(|state| match state {
            RunState::Completed => None,
            RunState::Started | RunState::Backgrounded => {
                Some("state IN ('started', 'backgrounded')")
            }
            _ => Some("state NOT IN ('started', 'backgrounded', 'completed')"),
        });
        let outcome = self
            .outcome
            .as_deref()
            .filter(|outcome| *outcome != "continue");
        let outcome = outcome.map(|_| "outcome <> 'continue'");
        let cause = self.cause.as_deref().map(|_| "cause IS NOT NULL");
        [state, outcome, cause].into_iter().flatten()
    }
}
