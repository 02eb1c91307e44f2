//! Runs rows, with each kind of hook.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::{Approver, DenyAll};
use portcullis_agent::{
    Agent, AgentSession, CheckpointId, EventReceiver, NewSession, Resolution, TurnEnd, TurnError,
};

use super::actor::Kind;
use super::props::Person;
use super::row::{Act, Row};
use super::stage::World;
use super::{said, trail};

/// The session's id.
const SESSION: &str = "main";

/// Runs every row with a component, a native hook and a script, and reports all differences from
/// the expectation.
pub async fn play(rows: impl IntoIterator<Item = Row>) {
    let mut wrong = Vec::new();
    for row in rows {
        for kind in row.kinds.iter().copied() {
            for (role, expected) in &row.expected {
                let played = tokio::time::timeout(Duration::from_secs(60), once(&row, kind, *role));
                let (lines, conversation) = played.await.unwrap_or_else(|_| {
                    panic!("{} ({kind:?}) does not come to an end", row.name);
                });
                let role = role.map(|role| format!(", {role}")).unwrap_or_default();
                if lines != *expected {
                    let difference = difference(expected, &lines);
                    wrong.push(format!("{} ({kind:?}{role}):\n{difference}", row.name));
                }
                if let Some(expected) = &row.conversation
                    && conversation != *expected
                {
                    let difference = difference(expected, &conversation);
                    wrong.push(format!(
                        "{} ({kind:?}{role}), said:\n{difference}",
                        row.name
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

/// Runs a row once. Returns the lines and the conversation.
async fn once(row: &Row, kind: Kind, role: Option<&'static str>) -> (Vec<String>, Vec<String>) {
    let world = World::new(row);
    let mut events = world.events.subscribe();
    let mut play = Play {
        row,
        kind,
        role,
        agent: world.agent(row, kind, role),
        world: &world,
        session: None,
        conversation: Vec::new(),
    };
    play.acts().await;
    // Detached runs.
    play.agent.1.drain(Duration::from_secs(10)).await;
    let lines = play.lines(&mut events);
    (lines, play.conversation)
}

struct Play<'a> {
    row: &'a Row,
    kind: Kind,
    role: Option<&'static str>,
    world: &'a World,
    agent: (Vec<portcullis_tests::HooksDir>, Agent),
    session: Option<AgentSession>,
    conversation: Vec<String>,
}

impl Play<'_> {
    async fn acts(&mut self) {
        match self.agent.1.session(self.new_session()).await {
            Ok(session) => self.session = Some(session),
            Err(error) => {
                self.world.effects.tell(format!("no session: {error}"));
                return;
            }
        }
        let mut waits = None;
        for act in &self.row.acts {
            let ended = match act {
                Act::Turn(said) => self.turn(said).await,
                Act::Resume { elsewhere, given } => {
                    let checkpoint = waits.take().expect("a suspended turn");
                    self.resume(checkpoint, *elsewhere, given).await
                }
            };
            // Waits for sub-agents that ended with the turn, so that their lines come before the
            // next ones.
            self.agent.1.drain(Duration::from_secs(10)).await;
            if let Ok(TurnEnd::Suspended(suspension)) = ended {
                waits = Some(suspension.checkpoint);
            }
        }
        if let Some(session) = self.session.take() {
            self.conversation = session.conversation().iter().map(said::line).collect();
            session.close().await;
        }
    }

    async fn turn(&mut self, said: &str) -> Result<TurnEnd, TurnError> {
        let cancel = self.world.cancel.clone();
        let session = self.session.as_mut().expect("an open session");
        session.turn_until(said, cancel).await
    }

    async fn resume(
        &mut self,
        checkpoint: CheckpointId,
        elsewhere: bool,
        given: &[(&'static str, Resolution)],
    ) -> Result<TurnEnd, TurnError> {
        if let Some(left) = self.session.take() {
            left.close().await;
        }
        if elsewhere {
            self.agent = self.world.agent(self.row, self.kind, self.role);
        }
        let given: BTreeMap<String, Resolution> = given
            .iter()
            .map(|(id, resolution)| ((*id).to_owned(), resolution.clone()))
            .collect();
        let new = self.new_session();
        let (session, ended) = self
            .agent
            .1
            .resume(checkpoint, given, new)
            .await
            .expect("a checkpoint to resume from");
        self.session = Some(session);
        ended
    }

    fn new_session(&self) -> NewSession {
        let approver: Arc<dyn Approver> = match &self.row.person {
            Some(says) => Arc::new(Person(says.clone(), self.world.effects.clone())),
            None => Arc::new(DenyAll),
        };
        NewSession {
            id: SESSION.into(),
            approver,
            checkpoints: Some(self.world.checkpoints()),
            steering: self.world.steering.clone(),
            ..NewSession::default()
        }
    }

    fn lines(&self, events: &mut EventReceiver) -> Vec<String> {
        let subs = self.row.sub.iter().flat_map(|sub| &sub.actors);
        let actors = self.row.actors.iter().chain(subs);
        let watched = self.row.watched.iter().copied();
        let ids: Vec<&str> = actors.map(|actor| actor.id).chain(watched).collect();
        trail::read(events, &self.row.shown, &ids, SESSION)
    }
}

/// Returns the expected and the actual lines, from the first difference.
fn difference(expected: &[&str], was: &[String]) -> String {
    let same = expected
        .iter()
        .zip(was)
        .take_while(|(e, w)| *e == w)
        .count();
    let mut text = String::new();
    for line in expected.iter().take(same) {
        text += &format!("   {line}\n");
    }
    for line in expected.iter().skip(same) {
        text += &format!(" - {line}\n");
    }
    for line in was.iter().skip(same) {
        text += &format!(" + {line}\n");
    }
    text
}
