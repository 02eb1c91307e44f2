//! Writing records.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::columns::{BEGUN, COLUMNS, End, RUNS, add_no_end};
use super::kinds::{self, Kinds, RunKind};
use super::record::{At, Begun, Digests, OpenRun, Record};
use super::sessions::Changes;
use super::{JournalError, events};
use crate::error::StoreError;
use crate::sql::Value;
use crate::writing::{Transaction, Writing};

/// The result of a transaction.
#[derive(Default)]
pub(super) struct Written {
    /// The invalid records.
    pub(super) refused: Vec<JournalError>,
    /// The ids of kinds that were not known before.
    pub(super) kinds: Kinds,
}

/// The records of one transaction.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    pub(super) host: i64,
    pub(super) records: &'a [&'a Record],
    /// The runs that began earlier and have not ended.
    pub(super) open: &'a HashMap<i64, OpenRun>,
    /// The ids of kinds.
    pub(super) known: &'a Kinds,
}

/// A run that begins in a transaction, and its end, if it has one.
struct Row<'a> {
    begun: &'a Begun,
    end: Option<End<'a>>,
}

/// The runs that begin in a transaction and end in a later record of it, with their positions.
type Later<'a> = HashMap<i64, (usize, &'a Begun)>;

/// Writes records in one transaction.
pub(super) async fn write(writing: &mut Writing, batch: Batch<'_>) -> Result<Written, StoreError> {
    match write_together(writing, batch).await? {
        Some(written) => Ok(written),
        None => write_each(writing, batch).await,
    }
}

impl<'a> Batch<'a> {
    fn ended_later(self) -> Later<'a> {
        let ends = self.records.iter().filter_map(|record| match record {
            Record::End { id, .. } => Some((*id, None)),
            Record::Run { .. } | Record::Event(_) => None,
        });
        let mut later: HashMap<i64, Option<(usize, &Begun)>> = ends.collect();
        if later.is_empty() {
            return HashMap::new();
        }
        let mut place = 0;
        for record in self.records {
            if let Some(start) = record.open()
                && let Some(found) = later.get_mut(&start.id())
            {
                *found = Some((place, start));
            }
            place += usize::from(matches!(record, Record::Run { .. }));
        }
        let found = later.into_iter().filter_map(|(id, at)| Some((id, at?)));
        found.collect()
    }

    /// Returns the run that a record is about; `None` for an event, and for the end of a run that
    /// never began.
    fn at(self, record: &'a Record, later: &Later<'a>) -> Option<At<'a>> {
        match record {
            Record::Run { start, .. } => Some(start.at()),
            Record::End { id, .. } => match later.get(id) {
                Some((_, start)) => Some(start.at()),
                None => self.open.get(id).map(OpenRun::at),
            },
            Record::Event(_) => None,
        }
    }

    /// Returns the ends of the records, each with its kind, and the kinds that were not known.
    async fn ends(
        self,
        transaction: &mut Transaction<'_>,
        later: &Later<'a>,
    ) -> Result<(Vec<Option<End<'a>>>, Kinds), StoreError> {
        let mut unknown = Vec::new();
        let mut ends = Vec::with_capacity(self.records.len());
        for record in self.records {
            let Some(ended) = record.ended() else {
                ends.push(None);
                continue;
            };
            let at = self.at(record, later);
            let mut kind = 0;
            if let Some(at) = at.filter(|_| ended.is_over()) {
                let of = RunKind::new(at, ended.counted());
                match self.known.get(&of) {
                    Some(id) => kind = *id,
                    None => unknown.push((ends.len(), of)),
                }
            }
            let at_ms = ended.at_ms(at.map_or(0, |at| at.started_us));
            ends.push(Some(End { ended, at_ms, kind }));
        }
        let new = unknown.iter().map(|(_, kind)| kind.clone()).collect();
        let new = kinds::ids(transaction, new).await?;
        for (place, kind) in unknown {
            if let Some(Some(end)) = ends.get_mut(place) {
                end.kind = new.get(&kind).copied().unwrap_or_default();
            }
        }
        Ok((ends, new))
    }
}

/// Writes a run that begins and ends among these records as one row. If a record is invalid, writes
/// none and returns `None`.
async fn write_together(
    writing: &mut Writing,
    batch: Batch<'_>,
) -> Result<Option<Written>, StoreError> {
    let mut transaction = writing.begin().await?;
    let later = batch.ended_later();
    let (ends, new) = batch.ends(&mut transaction, &later).await?;
    let host = batch.host;
    let mut changes = Changes::default();
    let mut rows: Vec<Row<'_>> = Vec::with_capacity(batch.records.len());
    let mut earlier = Vec::new();
    for (record, end) in batch.records.iter().zip(ends) {
        match record {
            Record::Run { start, .. } => {
                rows.push(Row { begun: start, end });
                changes.began(start.at());
            }
            Record::End { id, .. } => {
                let Some(end) = end else { continue };
                let place = later.get(id).map(|(place, _)| *place);
                match place.and_then(|place| rows.get_mut(place)) {
                    Some(row) if row.is_over() => return Ok(None),
                    Some(row) => row.end = Some(end),
                    None => earlier.push((*id, end)),
                }
            }
            Record::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    return Ok(None);
                }
                changes.event(row);
            }
        }
        if let Some(at) = batch.at(record, &later) {
            changes.ended(at, end);
        }
    }
    let count = rows.len();
    let mut digests = Digests::default();
    let added = transaction
        .insert(&RUNS, rows.iter(), |row, values| {
            row.add_values(host, &mut digests, values);
        })
        .await?;
    if added != count as u64 {
        return Ok(None);
    }
    for (id, ended) in earlier {
        if end(&mut transaction, host, id, ended).await? == 0 {
            return Ok(None);
        }
    }
    changes.write(&mut transaction, host).await?;
    transaction.commit().await?;
    Ok(Some(Written {
        refused: Vec::new(),
        kinds: new,
    }))
}

/// Writes the records one by one, except invalid ones.
async fn write_each(writing: &mut Writing, batch: Batch<'_>) -> Result<Written, StoreError> {
    let mut transaction = writing.begin().await?;
    let later = batch.ended_later();
    let (ends, new) = batch.ends(&mut transaction, &later).await?;
    let host = batch.host;
    let mut refused = Vec::new();
    let mut changes = Changes::default();
    for (record, end) in batch.records.iter().zip(ends) {
        let mut has_ended = true;
        match record {
            Record::Run { start, .. } => {
                let row = Row { begun: start, end };
                let mut digests = Digests::default();
                let insert = transaction.insert(&RUNS, std::iter::once(&row), |row, values| {
                    row.add_values(host, &mut digests, values);
                });
                let id = start.id();
                if insert.await? == 0 {
                    refused.push(JournalError::BegunTwice { id });
                    if let Some(end) = end {
                        has_ended = self::end(&mut transaction, host, id, end).await? > 0;
                    }
                }
                changes.began(start.at());
            }
            Record::End { id, .. } => {
                let Some(end) = end else { continue };
                has_ended = self::end(&mut transaction, host, *id, end).await? > 0;
                if !has_ended {
                    refused.push(JournalError::NotRunning { id: *id });
                }
            }
            Record::Event(row) => {
                if events::write(&mut transaction, host, row).await? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                }
                changes.event(row);
            }
        }
        if has_ended && let Some(at) = batch.at(record, &later) {
            changes.ended(at, end);
        }
    }
    changes.write(&mut transaction, host).await?;
    transaction.commit().await?;
    Ok(Written {
        refused,
        kinds: new,
    })
}

impl<'a> Row<'a> {
    /// Returns whether the run has ended.
    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| end.ended.is_over())
    }

    /// Adds the values of all columns.
    fn add_values(&self, host: i64, digests: &mut Digests, values: &mut Vec<Value<'a>>) {
        self.begun.add_values(host, digests, values);
        match self.end {
            Some(end) => end.add_values(values),
            None => add_no_end(values),
        }
    }
}

/// Ends a run that began in an earlier transaction. Returns the number of changed rows.
async fn end(
    transaction: &mut Transaction<'_>,
    host: i64,
    id: i64,
    ended: End<'_>,
) -> Result<u64, StoreError> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        let set = COLUMNS.iter().skip(BEGUN).zip(3..);
        let set = set.map(|(column, place)| format!("{column} = ${place}"));
        format!(
            "UPDATE runs SET {} WHERE host = $1 AND id = $2 AND state IN ('started', 'backgrounded')",
            set.collect::<Vec<_>>().join(", ")
        )
    });
    let mut values = Vec::with_capacity(COLUMNS.len());
    values.extend([host.into(), id.into()]);
    ended.add_values(&mut values);
    transaction.execute(&SQL, &values).await
}
