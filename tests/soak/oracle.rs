//! The expected result of each turn, from the dice alone: its end, and all its hook runs.

use moody::Mood;
use portcullis::Hooks;
use portcullis::contract::HookRole;
use portcullis::points::{Order, PointId};

use crate::stage::{
    ANSWER, ANSWERED, ANSWERS, CLOSED, FORBIDDEN, GUARD, NOTED, OPEN, ORDINARY, WATCHING,
};

/// The end of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The model said this text.
    Said(String),
    /// The model said that the tool did not run.
    NotRun,
    /// A hook refused.
    Refused { by: String },
    /// A hook that fails closed failed.
    Failed { by: String, cause: String },
}

/// A hook run: turn, point, hook, and the outcome, the cause of its failure, or `skipped`.
pub type Run = (u32, String, String, String);

/// The expected result of a session.
#[derive(Debug, Default)]
pub struct Expected {
    /// The ends of its turns, in order.
    pub ends: Vec<End>,
    /// All its hook runs.
    pub runs: Vec<Run>,
}

/// A loaded hook.
struct Hook {
    id: String,
    observes: bool,
    priority: i32,
    points: Vec<PointId>,
}

/// The predictor of results.
pub struct Oracle {
    hooks: Vec<Hook>,
}

/// The result of a chain.
enum Came {
    Passed,
    Answered,
    Ended(End),
}

/// Returns the user's text in a turn.
pub fn said(turn: u32) -> &'static str {
    match turn % 5 {
        2 => FORBIDDEN,
        4 => ANSWERED,
        _ => ORDINARY,
    }
}

impl Oracle {
    pub fn new(hooks: &Hooks) -> Self {
        let mut hooks: Vec<Hook> = hooks
            .reports()
            .into_iter()
            .map(|report| Hook {
                id: report.id.to_string(),
                observes: report.role == HookRole::Observe,
                priority: report.priority,
                points: report.points,
            })
            .collect();
        hooks.sort_by(|a, b| (a.priority, &a.id).cmp(&(b.priority, &b.id)));
        Self { hooks }
    }

    /// Returns the number of hooks.
    pub fn hooks(&self) -> usize {
        self.hooks.len()
    }

    /// Returns the expected result of a session with this number of turns.
    pub fn session(&self, session: &str, turns: u32) -> Expected {
        let mut expected = Expected::default();
        let mut play = Play {
            hooks: &self.hooks,
            session,
            turn: 0,
            runs: &mut expected.runs,
        };
        play.at(PointId::SessionStart);
        for turn in 1..=turns {
            play.turn = turn;
            expected.ends.push(play.turn());
        }
        play.turn = 0;
        play.at(PointId::SessionEnd);
        expected
    }
}

struct Play<'a> {
    hooks: &'a [Hook],
    session: &'a str,
    turn: u32,
    runs: &'a mut Vec<Run>,
}

impl Play<'_> {
    fn turn(&mut self) -> End {
        let end = match self.at(PointId::PreTurn) {
            Came::Ended(end) => Err(end),
            Came::Answered => Ok(End::Said(ANSWER.into())),
            Came::Passed => Ok(self.steps()),
        };
        let end = end.and_then(|end| match self.at(PointId::PostTurn) {
            Came::Ended(end) => Err(end),
            _ => Ok(end),
        });
        end.unwrap_or_else(|end| {
            self.at(PointId::TurnError);
            end
        })
    }

    fn steps(&mut self) -> End {
        self.at(PointId::PreLlmCall);
        self.at(PointId::PostLlmCall);
        let end = match self.at(PointId::PreToolCall) {
            Came::Ended(_) => End::NotRun,
            _ => {
                self.at(PointId::PostToolCall);
                End::Said(NOTED.into())
            }
        };
        self.at(PointId::PreLlmCall);
        self.at(PointId::PostLlmCall);
        end
    }

    fn at(&mut self, point: PointId) -> Came {
        let hooks = self.hooks;
        let here = |hook: &&Hook| hook.points.contains(&point);
        let mut deciding: Vec<&Hook> = hooks.iter().filter(here).filter(|h| !h.observes).collect();
        if point.info().order == Order::Reverse {
            deciding.reverse();
        }
        let mut came = Came::Passed;
        for hook in deciding {
            if !matches!(came, Came::Passed) {
                self.ran(point, hook, "skipped");
                continue;
            }
            came = self.decides(point, hook);
        }
        for hook in hooks.iter().filter(here).filter(|hook| hook.observes) {
            let said = match self.mood(point, hook) {
                // A refusal is not permitted here.
                Mood::Refuse => "bad-output",
                mood => failure(hook, mood).unwrap_or("continue"),
            };
            self.ran(point, hook, said);
        }
        came
    }

    fn decides(&mut self, point: PointId, hook: &Hook) -> Came {
        let by = || hook.id.clone();
        let mood = self.mood(point, hook);
        let (said, came) = match (hook.id.as_str(), said(self.turn), failure(hook, mood)) {
            (GUARD, FORBIDDEN, _) => ("reject", Came::Ended(End::Refused { by: by() })),
            (ANSWERS, ANSWERED, _) => ("answer", Came::Answered),
            (CLOSED, _, Some(cause)) => {
                let cause_text = cause.to_owned();
                let end = End::Failed {
                    by: by(),
                    cause: cause_text,
                };
                (cause, Came::Ended(end))
            }
            (_, _, Some(cause)) => (cause, Came::Passed),
            _ if mood == Mood::Refuse => ("reject", Came::Ended(End::Refused { by: by() })),
            _ => ("continue", Came::Passed),
        };
        self.ran(point, hook, said);
        came
    }

    fn mood(&self, point: PointId, hook: &Hook) -> Mood {
        match [OPEN, CLOSED, WATCHING].contains(&hook.id.as_str()) {
            true => Mood::of(&hook.id, self.session, self.turn, point.name()),
            false => Mood::Good,
        }
    }

    fn ran(&mut self, point: PointId, hook: &Hook, said: &str) {
        let run = (
            self.turn,
            point.to_string(),
            hook.id.clone(),
            said.to_owned(),
        );
        self.runs.push(run);
    }
}

/// Returns the cause of the failure that a mood ends in.
fn failure(hook: &Hook, mood: Mood) -> Option<&'static str> {
    match mood {
        Mood::Good | Mood::Refuse => None,
        Mood::Fail => Some("guest-error"),
        Mood::Trap => Some("trap"),
        Mood::Spin if hook.id == WATCHING => Some("deadline"),
        Mood::Spin => Some("fuel"),
        Mood::Hoard => Some("memory"),
        Mood::Flood => Some("bad-output"),
    }
}
