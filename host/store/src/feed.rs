//! The events of a turn that another process runs, for the client that requested it.

use sqlx::Row as _;

use crate::database::{narrow, now_ms, signed, storable};
use crate::error::StoreError;
use crate::store::Store;

/// The feeds in a [`Store`]: the events of turns that run in another process than they were
/// requested in. Cheap to clone. A feed exists until its session begins another one or is deleted.
/// The feed of a session that was never saved exists for a day.
#[derive(Debug, Clone)]
pub struct Feed(Store);

/// An event of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEvent {
    /// Its position in the feed. Later events have greater positions.
    pub id: i64,
    /// The attempt at the turn, counted from 1: each worker that runs the turn is an attempt.
    pub attempt: u32,
    /// Its number in the attempt, counted from 1.
    pub number: u64,
    /// The event, as JSON text.
    pub event: String,
}

impl Store {
    /// Returns the store's feeds.
    pub fn feed(&self) -> Feed {
        Feed(self.clone())
    }
}

impl Feed {
    /// Begins an attempt at a request. Removes the feeds of the session's earlier requests. Returns
    /// the number of the attempt.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn begin(&self, session: &str, request: &str) -> Result<u32, StoreError> {
        let (session, request) = (storable(session), storable(request));
        let begun = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            let forget = sqlx::query("DELETE FROM feed WHERE session = $1 AND request <> $2");
            let forget = forget.bind(session.clone()).bind(request.clone());
            forget.execute(&mut *transaction).await?;
            let sql = "INSERT INTO feed (session, request, attempt, number, event, at_ms)
                       SELECT $1, $2, COALESCE(MAX(attempt), 0) + 1, 0, '', $3 FROM feed
                       WHERE request = $2 RETURNING attempt";
            let begin = sqlx::query(sql)
                .bind(session)
                .bind(request)
                .bind(signed(now_ms()));
            let row = begin.fetch_one(&mut *transaction).await?;
            let attempt: i64 = row.try_get(0)?;
            transaction.commit().await?;
            Ok::<_, StoreError>(narrow(attempt))
        });
        begun.await
    }

    /// Adds events to an attempt. `first` is the number of the first event.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn add(
        &self,
        session: &str,
        request: &str,
        attempt: u32,
        first: u64,
        events: Vec<String>,
    ) -> Result<(), StoreError> {
        let (session, request) = (storable(session), storable(request));
        let added = self.0.run(move |database| async move {
            let mut transaction = database.write().await?;
            for (number, event) in (first..).zip(events) {
                let sql = "INSERT INTO feed (session, request, attempt, number, event)
                           VALUES ($1, $2, $3, $4, $5)";
                let add = sqlx::query(sql)
                    .bind(session.clone())
                    .bind(request.clone())
                    .bind(i64::from(attempt))
                    .bind(signed(number))
                    .bind(event);
                add.execute(&mut *transaction).await?;
            }
            Ok::<_, StoreError>(transaction.commit().await?)
        });
        added.await
    }

    /// Returns the events of a request after this position, in order.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub async fn after(&self, request: &str, id: i64) -> Result<Vec<FeedEvent>, StoreError> {
        let sql = "SELECT id, attempt, number, event FROM feed
                   WHERE request = $1 AND id > $2 AND number > 0 ORDER BY id";
        let select = sqlx::query(sql).bind(storable(request)).bind(id);
        let rows = self.0.run(|database| async move {
            Ok::<_, StoreError>(select.fetch_all(database.pool()).await?)
        });
        let rows = rows.await?;
        let read = |row: &sqlx::any::AnyRow| {
            Ok(FeedEvent {
                id: row.try_get(0)?,
                attempt: narrow(row.try_get(1)?),
                number: row.try_get::<i64, _>(2)?.unsigned_abs(),
                event: row.try_get(3)?,
            })
        };
        rows.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_feed_is_read_in_order_and_ends_with_the_next_request() {
        let store = Store::temporary().unwrap();
        let feed = store.feed();
        assert_eq!(feed.begin("s", "a").await.unwrap(), 1);
        let events = vec!["one".to_owned(), "two".to_owned()];
        feed.add("s", "a", 1, 1, events).await.unwrap();
        assert_eq!(feed.begin("s", "a").await.unwrap(), 2);
        feed.add("s", "a", 2, 1, vec!["three".into()])
            .await
            .unwrap();
        let read = feed.after("a", 0).await.unwrap();
        let shown = read.iter().map(|it| (it.attempt, it.number, &*it.event));
        let shown: Vec<_> = shown.collect();
        assert_eq!(shown, [(1, 1, "one"), (1, 2, "two"), (2, 1, "three")]);
        let last = read.last().unwrap().id;
        assert_eq!(feed.after("a", last).await.unwrap(), []);
        feed.begin("s", "b").await.unwrap();
        assert_eq!(feed.after("a", 0).await.unwrap(), []);
    }
}
