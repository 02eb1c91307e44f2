//! The runtimes `direct` and `local`, on a store in a file, and `local` on PostgreSQL.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use portcullis_agent::{
    Agent, AgentSession, CheckpointStore as _, EffectsError, NewSession, Resolution, SessionError,
    TurnEnd, TurnError,
};
use portcullis_parity::{Dead, End, Ended, Left, Mortality, NO_USAGE, Process, Runtime, World};
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl};
use tokio_util::sync::CancellationToken;

/// Turns are not recorded.
pub struct Direct;

/// Turns are recorded in the store.
pub struct Local;

/// Turns are recorded in this database, which all worlds share.
pub struct OnPostgres(pub StoreUrl);

#[async_trait]
impl Runtime for Direct {
    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process> {
        Box::new(start(world, agent, new, mortality, false).await)
    }

    async fn cancel(&self, _: &World) {}
}

#[async_trait]
impl Runtime for Local {
    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process> {
        Box::new(start(world, agent, new, mortality, true).await)
    }

    async fn cancel(&self, world: &World) {
        let store = open(world).await;
        store.turns().cancel(&world.session).await.unwrap();
    }
}

#[async_trait]
impl Runtime for OnPostgres {
    /// The moments are SQLite's: a few show that the database behaves alike.
    fn every(&self) -> usize {
        61
    }

    fn deaths_of_a_turn(&self) -> usize {
        3
    }

    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process> {
        let store = open_at(self.0.clone()).await;
        Box::new(start_with(store, world, agent, new, mortality, true).await)
    }

    async fn cancel(&self, world: &World) {
        let store = open_at(self.0.clone()).await;
        store.turns().cancel(&world.session).await.unwrap();
    }
}

async fn open(world: &World) -> Store {
    open_at(StoreUrl::sqlite(world.dir().join("store.sqlite"))).await
}

async fn open_at(url: StoreUrl) -> Store {
    let options = StoreOptions::default().durability(Durability::Normal);
    Store::open(url, options).await.unwrap()
}

/// Starts a process with an agent, whose store is in a file.
pub async fn start(
    world: &World,
    agent: Agent,
    new: NewSession,
    mortality: Mortality,
    records: bool,
) -> Opened {
    start_with(open(world).await, world, agent, new, mortality, records).await
}

async fn start_with(
    store: Store,
    world: &World,
    agent: Agent,
    new: NewSession,
    mortality: Mortality,
    records: bool,
) -> Opened {
    // Releases the session that a dead process had open.
    store.sessions().release(&world.session).await.unwrap();
    let turns = records.then(|| mortality.turns(Arc::new(store.turns())));
    Opened {
        agent,
        new: NewSession {
            sessions: Some(Arc::new(store.sessions())),
            checkpoints: Some(Arc::new(store.checkpoints())),
            turns,
            ..new
        },
        session: None,
        turn: CancellationToken::new(),
        mortality,
        store,
        dead: Arc::downgrade(&world.dead),
    }
}

/// A process whose sessions are in a store.
pub struct Opened {
    pub agent: Agent,
    pub new: NewSession,
    session: Option<AgentSession>,
    turn: CancellationToken,
    mortality: Mortality,
    pub store: Store,
    dead: Weak<Dead>,
}

type Turned = (AgentSession, Result<TurnEnd, TurnError>);

impl Opened {
    /// Runs this unless the process dies, and nothing of it afterwards.
    async fn until_death<E>(
        &mut self,
        turning: impl Future<Output = Result<Turned, E>> + Send + 'static,
    ) -> Result<Left, E> {
        let mut turning = Box::pin(turning);
        let (mortality, park) = (self.mortality.clone(), self.new.park.clone());
        let parking = async move {
            mortality.parked().await;
            park.cancel();
            std::future::pending::<()>().await;
        };
        let turned = tokio::select! {
            biased;
            () = self.mortality.died() => None,
            () = parking => None,
            turned = &mut turning => Some(turned),
        };
        let Some(turned) = turned else {
            let dead = self.dead.upgrade().expect("the world has not ended");
            dead.keep((turning, self.store.clone()));
            return Ok(Left::Died);
        };
        drop(turning);
        let (session, end) = turned?;
        if let Err(TurnError::Interrupted(EffectsError::Parked)) = end {
            return Ok(Left::Parked);
        }
        let ended = Ended {
            end: match end {
                Ok(TurnEnd::Done(_)) => End::Done,
                Ok(TurnEnd::Suspended(suspension)) => End::Suspended {
                    checkpoint: suspension.checkpoint.to_string(),
                },
                Err(TurnError::Cancelled) => End::Cancelled,
                Err(TurnError::Interrupted(error)) => End::Interrupted(error),
                Err(error) => End::Failed(error.to_string()),
            },
            conversation: session.conversation().to_vec(),
            state: session.state(),
            usage: session.usage(),
        };
        self.session = Some(session);
        Ok(Left::Ended(Box::new(ended)))
    }
}

#[async_trait]
impl Process for Opened {
    async fn turn(&mut self, input: &str) -> Left {
        let (agent, new, cancel) = (self.agent.clone(), self.new.clone(), self.turn.clone());
        let (open, input) = (self.session.take(), input.to_owned());
        let turning = async move {
            let mut session = match open {
                Some(session) => session,
                None => match agent.session(new).await {
                    Err(SessionError::Suspended { checkpoint, .. }) => return Err(checkpoint),
                    opened => opened.unwrap(),
                },
            };
            let ended = match session.finish_turn(cancel.clone()).await {
                Some(ended) => ended,
                None => session.turn_until(input.as_str(), cancel).await,
            };
            Ok((session, ended))
        };
        match self.until_death(turning).await {
            Ok(left) => left,
            // The process before was suspending it when it died.
            Err(checkpoint) => Left::Ended(Box::new(Ended {
                end: End::Suspended {
                    checkpoint: checkpoint.to_string(),
                },
                conversation: Vec::new(),
                state: Default::default(),
                usage: NO_USAGE,
            })),
        }
    }

    async fn resume(
        &mut self,
        checkpoint: &str,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<Left, String> {
        let (agent, new, cancel) = (self.agent.clone(), self.new.clone(), self.turn.clone());
        let id = checkpoint.parse().unwrap();
        let resuming = async move { agent.resume_until(id, resolutions, new, cancel).await };
        let left = self.until_death(resuming).await;
        left.map_err(|error| error.to_string())
    }

    async fn expire(&mut self, checkpoint: &str) -> Left {
        let (checkpoints, id) = (self.store.checkpoints(), checkpoint.parse().unwrap());
        while !checkpoints.get(&id).await.unwrap().is_over() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let late = BTreeMap::from([("c1".to_owned(), Resolution::yes())]);
        let refused = self.resume(checkpoint, late).await;
        assert!(refused.is_err(), "{refused:?}");
        self.resume(checkpoint, BTreeMap::new()).await.unwrap()
    }

    fn cancel(&self) -> Box<dyn FnOnce() + Send> {
        let turn = self.turn.clone();
        Box::new(move || turn.cancel())
    }

    async fn stop(mut self: Box<Self>) {
        if let Some(session) = self.session.take() {
            session.close().await;
        }
    }
}
