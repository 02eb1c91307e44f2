//! An agent reads the hook state of a session once it has claimed the session.

use async_trait::async_trait;
use portcullis::state::{PrivateKey, StateStore as _, Writes};
use portcullis_agent::{
    Agent, NewSession, SavedSession, SavedSessionError, Script, SessionError, SessionStore,
};

use super::{Arc, TestStore, host, spender};

/// A store of sessions in which another process has the session open until it is claimed here.
struct Held {
    state: Arc<TestStore>,
    /// The value that the other process writes last.
    last: &'static [u8],
    /// Whether the other process closes the session.
    closes: bool,
}

#[async_trait]
impl SessionStore for Held {
    async fn open(&self, session: SavedSession) -> Result<SavedSession, SavedSessionError> {
        let id = session.id.clone();
        let key = PrivateKey {
            session: id.as_str().into(),
            agent: 0,
            hook: "spender".into(),
            key: "calls".into(),
        };
        let writes = Writes {
            private: vec![(key, Some(self.last.to_vec()))],
            ..Writes::default()
        };
        let written = self.state.write(&writes).await;
        written.map_err(|e| SavedSessionError::Store(e.to_string()))?;
        match self.closes {
            true => Ok(session),
            false => Err(SavedSessionError::Held {
                id,
                pid: 1,
                machine: "m".into(),
                since_ms: 0,
            }),
        }
    }

    async fn save(&self, _: SavedSession) -> Result<(), SavedSessionError> {
        Ok(())
    }

    async fn close(&self, _: &str) -> Result<(), SavedSessionError> {
        Ok(())
    }
}

#[tokio::test]
async fn an_agent_reads_what_the_holder_of_a_session_wrote_last() -> anyhow::Result<()> {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let script = Script::parse(r#"{"responses": [{"expect": "5", "text": "Counted."}]}"#)?;
    let agent = Agent::builder()
        .providers(script.providers())
        .hooks(host(&dir, &store))
        .build()?;
    let open = |last, closes| {
        let state = store.clone();
        agent.session(NewSession {
            id: "one".into(),
            sessions: Some(Arc::new(Held {
                state,
                last,
                closes,
            })),
            ..NewSession::default()
        })
    };
    let refused = open(b"2", false).await.err();
    assert!(
        matches!(
            refused,
            Some(SessionError::Saved(SavedSessionError::Held { .. }))
        ),
        "{refused:?}"
    );
    let mut session = open(b"4", true).await?;
    session.turn("remember").await?;
    session.close().await;
    let kept = store.private();
    assert_eq!(kept, [["one", "spender", "calls", "5"].map(str::to_owned)]);
    Ok(())
}
