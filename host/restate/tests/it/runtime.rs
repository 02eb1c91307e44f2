//! Restate as a turn runtime.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis_agent::{Agent, CheckpointStore as _, NewSession, Resolution};
use portcullis_parity::{End, Ended, Left, Mortality, Process, Runtime, World};
use portcullis_restate::{Client, Outcome, ResumeRequest, TurnRequest, register};
use portcullis_restate_server::{ADMIN, INGRESS};
use portcullis_store::Store;
use tokio::sync::OnceCell;
use tokio::time::sleep;

use crate::balancer::Balancer;
use crate::worker::{Thread, store};

/// The polling interval.
const LOOK: Duration = Duration::from_millis(10);

/// The agent of this test on a Restate server.
pub struct Restate(Arc<Served>);

struct Served {
    agent: String,
    client: Client,
    balancer: Balancer,
    registered: OnceCell<()>,
    /// The request to each session that has no outcome yet.
    sent: Mutex<BTreeMap<String, Sent>>,
}

/// A request to a session.
#[derive(Clone)]
enum Sent {
    Turn(TurnRequest),
    Resume(ResumeRequest),
}

impl Restate {
    /// Returns the agent on the server that the tests share; `None` if no server can run here.
    pub async fn shared() -> Option<Self> {
        match portcullis_restate_server::shared() {
            true => Some(Self::new().await),
            false => None,
        }
    }

    /// Returns the agent on the server in this network namespace.
    pub async fn new() -> Self {
        // The server knows an agent by its name.
        let thread = std::thread::current();
        let agent = thread.name().unwrap().to_owned();
        Self(Arc::new(Served {
            client: Client::new(INGRESS.parse().unwrap(), &agent),
            agent,
            balancer: Balancer::start().await,
            registered: OnceCell::new(),
            sent: Mutex::default(),
        }))
    }
}

#[async_trait]
impl Runtime for Restate {
    fn agent(&self) -> &str {
        &self.0.agent
    }

    /// Each tried moment takes a whole turn on the server.
    fn every(&self) -> usize {
        11
    }

    /// The server doubles its wait after each death, up to ten seconds.
    fn deaths_of_a_turn(&self) -> usize {
        6
    }

    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process> {
        let served = self.0.clone();
        let store = store(world.dir()).await;
        // Release the session that a dead process had open.
        store.sessions().release(&world.session).await.unwrap();
        let worker = Thread::start(world.dir(), agent, new, mortality.clone()).await;
        served.balancer.set(&[worker.address]);
        let registered = served.registered.get_or_init(async || {
            let url = served.balancer.url();
            register(&ADMIN.parse().unwrap(), &url).await.unwrap();
        });
        registered.await;
        Box::new(OnWorker {
            served,
            session: world.session.clone(),
            store,
            worker: Some(worker),
            mortality,
        })
    }

    async fn cancel(&self, world: &World) {
        let turns = store(world.dir()).await.turns();
        turns.cancel(&world.session).await.unwrap();
    }
}

/// A worker that serves the session of a world.
struct OnWorker {
    served: Arc<Served>,
    session: String,
    store: Store,
    /// `None` once the worker is dead.
    worker: Option<Thread>,
    mortality: Mortality,
}

impl OnWorker {
    /// Sends `sent`, or again the request that another worker left, and waits for the outcome.
    /// Fails if the worker died, or was asked to stop and has ended.
    async fn send(&mut self, sent: Sent) -> Result<Outcome, Left> {
        let served = self.served.clone();
        served
            .sent
            .lock()
            .insert(self.session.clone(), sent.clone());
        let away = |why: &str| eprintln!("the server is away: {why}");
        let outcome = async {
            match &sent {
                Sent::Turn(request) => served.client.turn(&self.session, request, away).await,
                Sent::Resume(request) => served.client.resume(&self.session, request, away).await,
            }
        };
        let outcome = tokio::select! {
            biased;
            () = self.mortality.died() => Err(Left::Died),
            () = self.mortality.parked() => Err(Left::Parked),
            outcome = outcome => Ok(outcome.unwrap()),
        };
        match &outcome {
            Ok(_) => drop(served.sent.lock().remove(&self.session)),
            Err(left) => self.end(left).await,
        }
        outcome
    }

    /// Ends the worker: it stops if its work was parked, and dies otherwise.
    async fn end(&mut self, left: &Left) {
        if let Some(worker) = self.worker.take() {
            match left {
                Left::Parked => worker.stop().await,
                _ => worker.die().await,
            }
        }
        self.served.balancer.set(&[]);
    }

    async fn left(&self, outcome: Result<Outcome, Left>) -> Left {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(left) => return left,
        };
        let saved = self.store.sessions().get(&self.session).await.unwrap();
        let data = saved.and_then(|saved| saved.data).unwrap_or_default();
        Left::Ended(Box::new(Ended {
            end: match outcome {
                Outcome::Done { .. } => End::Done,
                Outcome::Suspended { checkpoint, .. } => End::Suspended {
                    checkpoint: checkpoint.to_string(),
                },
                Outcome::Failed {
                    cancelled: true, ..
                } => End::Cancelled,
                Outcome::Failed { error, .. } => End::Failed(error),
            },
            conversation: part(&data, "conversation"),
            state: part(&data, "state"),
            usage: match data.get("usage") {
                Some(usage) => serde_json::from_value(usage.clone()).unwrap(),
                None => portcullis_parity::NO_USAGE,
            },
        }))
    }
}

/// Returns a part of a saved session.
fn part<T: Default + serde::de::DeserializeOwned>(data: &serde_json::Value, name: &str) -> T {
    let part = data.get(name).cloned();
    part.map(|part| serde_json::from_value(part).unwrap())
        .unwrap_or_default()
}

#[async_trait]
impl Process for OnWorker {
    async fn turn(&mut self, input: &str) -> Left {
        let unfinished = self.served.sent.lock().get(&self.session).cloned();
        if let Some(sent) = unfinished {
            match self.send(sent).await {
                Ok(Outcome::Failed {
                    cancelled: true, ..
                }) => {}
                outcome => return self.left(outcome).await,
            }
        }
        let turn = Sent::Turn(TurnRequest {
            id: NewSession::default().id,
            text: input.to_owned(),
            trace: None,
        });
        let outcome = self.send(turn).await;
        self.left(outcome).await
    }

    async fn resume(
        &mut self,
        checkpoint: &str,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<Left, String> {
        let resume = Sent::Resume(ResumeRequest {
            id: NewSession::default().id,
            checkpoint: checkpoint.parse().unwrap(),
            resolutions,
        });
        match self.send(resume).await {
            Ok(Outcome::Failed {
                error,
                cancelled: false,
            }) => Err(error),
            outcome => Ok(self.left(outcome).await),
        }
    }

    async fn expire(&mut self, checkpoint: &str) -> Left {
        // The server's timer expires the turn.
        let (checkpoints, id) = (self.store.checkpoints(), checkpoint.parse().unwrap());
        while checkpoints.get(&id).await.is_ok() {
            sleep(LOOK).await;
        }
        let sessions = self.store.sessions();
        while sessions
            .get(&self.session)
            .await
            .unwrap()
            .is_none_or(|saved| saved.open_in.is_some())
        {
            sleep(LOOK).await;
        }
        let done = Outcome::Done {
            text: String::new(),
        };
        self.left(Ok(done)).await
    }

    fn cancel(&self) -> Box<dyn FnOnce() + Send> {
        let (turns, session) = (self.store.turns(), self.session.clone());
        let runtime = tokio::runtime::Handle::current();
        Box::new(move || {
            runtime.spawn(async move { turns.cancel(&session).await.unwrap() });
        })
    }

    async fn stop(mut self: Box<Self>) {
        let closed = self.served.client.close(&self.session, |_: &str| {}).await;
        closed.unwrap();
        if let Some(worker) = self.worker.take() {
            worker.stop().await;
        }
        self.served.balancer.set(&[]);
    }
}
