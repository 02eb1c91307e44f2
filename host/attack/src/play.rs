//! Calls hostile hooks, with healthy ones before, between and after them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{HookRole, Rejection};
use portcullis::limits::Limits;
use portcullis::points::{PreTurn, pre_turn};
use portcullis::{Hooks, NativeHook, Session, SessionOptions};

use crate::attack::{Header, Play};
use crate::calls;
use crate::judge::{self, Told};
use crate::memory::Peak;
use crate::row::Row;
use crate::run::micros;
use crate::watch::Watch;

/// A turn in which a hostile hook is not hostile.
const FRIENDLY: u32 = 2;
/// A turn in which the hook attacks.
const HOSTILE: u32 = 1;
/// The turn in which the hook looks for the data that it left.
const LOOKING: u32 = 3;
/// The maximum number of calls until something fails.
const MOST_CALLS: u32 = 200;
/// The sessions of a crowd, and the calls of each.
const CROWD: (usize, u32) = (50, 10);
/// The time after which a call is dropped.
const DROP_AFTER: Duration = Duration::from_millis(30);

/// A session, and the next expected answer of its healthy hook.
struct Side {
    name: &'static str,
    session: Session,
    calls: usize,
    /// Whether the user's hook is present, which may serve other points than the healthy hooks.
    beside: bool,
}

impl Side {
    fn new(hooks: &Hooks, name: &'static str, watch: &Arc<Watch>) -> Self {
        let session = hooks.session(SessionOptions {
            sink: watch.clone(),
            ..SessionOptions::new(name)
        });
        Self {
            name,
            session,
            calls: 0,
            beside: false,
        }
    }

    /// Calls the header's point, and another point for the healthy hooks if they do not serve that one.
    async fn call(&mut self, header: &Header, turn: u32) -> Result<Told, String> {
        let mut told = match header.point.as_str() {
            "pre-tool-call" => {
                let mut call = calls::tool(turn).map_err(|e| e.to_string())?;
                let mut told = judge::told(header, &self.session.run(&mut call).await);
                if told.got == "refused" && &*call.views.tool_arguments != calls::ARGUMENTS {
                    told.faults
                        .push("it changed the arguments it was refused for".into());
                }
                told
            }
            "pre-llm-call" => {
                let mut call = calls::llm(turn).map_err(|e| e.to_string())?;
                let mut told = judge::told(header, &self.session.run(&mut call).await);
                if told.got == "refused" && call.views.conversation.len() != 1 {
                    told.faults
                        .push("it changed the messages it was refused for".into());
                }
                told
            }
            "prompt-policy" => {
                let mut call = calls::policy(turn);
                judge::told(header, &self.session.run(&mut call).await)
            }
            "prompt-tools" => {
                let mut call = calls::tools(turn);
                judge::told(header, &self.session.run(&mut call).await)
            }
            "post-turn" => {
                let mut call = calls::turn_done(turn);
                judge::told(header, &self.session.run(&mut call).await)
            }
            _ => return Ok(self.turn(header, turn).await),
        };
        let neighbours = self.turn(header, FRIENDLY).await;
        told.faults.extend(neighbours.faults);
        Ok(told)
    }

    /// Begins a turn. The healthy hook counts its calls in its own memory.
    async fn turn(&mut self, header: &Header, turn: u32) -> Told {
        let mut call = calls::turn(turn);
        let verdict = self.session.run(&mut call).await;
        let mut told = judge::told(header, &verdict);
        self.calls += 1;
        let counted = calls::text(&call).len();
        if counted != self.calls {
            told.faults.push(format!(
                "its neighbour in session {} counted {counted} calls, and not {}",
                self.name, self.calls
            ));
        }
        for name in ["neighbour", "witness"] {
            let run = verdict.runs.iter().find(|run| run.hook.as_str() == name);
            if run.is_none_or(|run| run.outcome().is_none()) {
                told.faults
                    .push(format!("`{name}` did not run in session {}", self.name));
            }
        }
        told
    }

    /// Calls the other points of the kit, for the user's hook. Returns the faults.
    async fn elsewhere(&self, header: &Header) -> Result<Vec<String>, String> {
        let mut faults = Vec::new();
        if header.point != "pre-tool-call" {
            let mut call = calls::tool(FRIENDLY).map_err(|e| e.to_string())?;
            faults.extend(judge::told(header, &self.session.run(&mut call).await).faults);
        }
        if header.point != "pre-llm-call" {
            let mut call = calls::llm(FRIENDLY).map_err(|e| e.to_string())?;
            faults.extend(judge::told(header, &self.session.run(&mut call).await).faults);
        }
        if header.point != "prompt-policy" {
            let mut call = calls::policy(FRIENDLY);
            faults.extend(judge::told(header, &self.session.run(&mut call).await).faults);
        }
        if header.point != "prompt-tools" {
            let mut call = calls::tools(FRIENDLY);
            faults.extend(judge::told(header, &self.session.run(&mut call).await).faults);
        }
        if header.point != "post-turn" {
            let mut call = calls::turn_done(FRIENDLY);
            faults.extend(judge::told(header, &self.session.run(&mut call).await).faults);
        }
        Ok(faults)
    }

    /// Calls the header's point in a turn in which the hostile hook is not hostile. Returns the faults.
    async fn friendly(&mut self, header: &Header, when: &str) -> Result<Vec<String>, String> {
        let told = self.call(header, FRIENDLY).await?;
        let mut faults = told.faults;
        if self.beside {
            faults.extend(self.elsewhere(header).await?);
        }
        // A hook that is hostile in every call fails every time, in the same way.
        let expected = match header.healthy {
            true => "survived",
            false => header.expected.name(),
        };
        if told.got != expected {
            let cause = told.cause.as_deref().unwrap_or("no cause");
            faults.push(format!(
                "{when}, session {}: {} ({cause})",
                self.name, told.got
            ));
        }
        Ok(faults)
    }
}

/// Plays an attack, and fills its row.
pub(crate) fn play(
    header: &Header,
    hooks: &Hooks,
    limits: &Limits,
    beside: bool,
    row: &mut Row,
) -> Result<(), String> {
    let guarded = match header.play {
        Play::BeforeAGuard => Some(HookRole::Gate),
        Play::BeforeATransform => Some(HookRole::Transform),
        _ => None,
    };
    let guarded = guarded
        .map(|role| hooks.with([guard(role)]))
        .transpose()
        .map_err(|e| e.to_string())?;
    let hooks = guarded.as_ref().unwrap_or(hooks);
    block_on(async {
        let watch = Arc::new(Watch::new(&header.id));
        let mut one = Side::new(hooks, "one", &watch);
        let mut other = Side::new(hooks, "other", &watch);
        (one.beside, other.beside) = (beside, beside);
        row.faults.extend(one.friendly(header, "before").await?);
        row.faults.extend(other.friendly(header, "before").await?);
        let peak = Peak::begin();
        let started = Instant::now();
        let (told, took) = match header.play {
            Play::Once | Play::BeforeAGuard | Play::BeforeATransform => {
                (one.call(header, HOSTILE).await?, started.elapsed())
            }
            Play::UntilItFails => until_it_fails(header, &mut one).await?,
            Play::Dropped => (dropped(&mut one).await, started.elapsed()),
            Play::OtherSession => {
                let left = one.call(header, HOSTILE).await?;
                row.faults.extend(left.faults);
                if left.got != "survived" {
                    row.faults
                        .push(format!("what was to be left was not: {}", left.got));
                }
                (other.call(header, LOOKING).await?, started.elapsed())
            }
            Play::Crowd => crowd(header, hooks, &mut one, row).await?,
        };
        row.memory = peak.and_then(Peak::grown);
        row.micros = micros(took);
        row.got = told.got.into();
        row.cause = told.cause;
        row.faults.extend(told.faults);
        row.faults.extend(one.friendly(header, "after").await?);
        row.faults.extend(other.friendly(header, "after").await?);
        let calls = one.calls + other.calls;
        let seen = watch.seen();
        row.faults.extend(judge::log(&seen, limits, calls));
        if seen.lines == 0 && row.got == "survived" && header.imports.iter().any(|i| i == "logging")
        {
            row.faults.push("nothing of it reached the log".into());
        }
        row.faults.extend(
            seen.events
                .into_iter()
                .map(|name| format!("an event `{name:?}`")),
        );
        Ok(())
    })?
}

/// Returns a guard that refuses in odd turns.
fn guard(role: HookRole) -> NativeHook {
    NativeHook::new("guard")
        .role(role)
        .priority(200)
        .on::<PreTurn>(|call| {
            Ok(match call.context.turn % 2 {
                0 => pre_turn::Outcome::Continue,
                _ => pre_turn::Outcome::Reject(Rejection {
                    code: "guarded".into(),
                    reason: "The guard refuses odd turns.".into(),
                    details: None,
                }),
            })
        })
}

async fn until_it_fails(header: &Header, one: &mut Side) -> Result<(Told, Duration), String> {
    for _ in 0..MOST_CALLS {
        let started = Instant::now();
        let told = one.call(header, HOSTILE).await?;
        if told.got != "survived" {
            return Ok((told, started.elapsed()));
        }
    }
    let never = Told {
        got: "survived",
        cause: None,
        faults: vec![format!("it did not fail in {MOST_CALLS} calls")],
    };
    Ok((never, Duration::ZERO))
}

/// Drops a call's future while the hostile hook runs. The healthy hook has been called by then.
async fn dropped(one: &mut Side) -> Told {
    let mut call = calls::turn(HOSTILE);
    let ended = tokio::time::timeout(DROP_AFTER, one.session.run(&mut call)).await;
    one.calls += 1;
    Told {
        got: "survived",
        cause: None,
        faults: match ended {
            Ok(_) => vec!["the call ended before it could be dropped".into()],
            Err(_) => Vec::new(),
        },
    }
}

/// Attacks one session repeatedly while others work.
async fn crowd(
    header: &Header,
    hooks: &Hooks,
    one: &mut Side,
    row: &mut Row,
) -> Result<(Told, Duration), String> {
    let (sessions, calls) = CROWD;
    let header = Arc::new(header.clone());
    let working: Vec<_> = (0..sessions)
        .map(|_| {
            let (hooks, header) = (hooks.clone(), header.clone());
            tokio::spawn(async move {
                let watch = Arc::new(Watch::new(&header.id));
                let mut side = Side::new(&hooks, "of the crowd", &watch);
                let mut faults = Vec::new();
                for _ in 0..calls {
                    faults.extend(side.friendly(&header, "meanwhile").await?);
                    tokio::task::yield_now().await;
                }
                Ok::<_, String>(faults)
            })
        })
        .collect();
    let mut ended = None;
    for _ in 0..3 {
        let started = Instant::now();
        let told = one.call(&header, HOSTILE).await?;
        ended = Some((told, started.elapsed()));
    }
    for session in working {
        row.faults
            .extend(session.await.map_err(|e| e.to_string())??);
    }
    row.faults.truncate(5);
    ended.ok_or_else(|| "no call was made".into())
}

/// Plays the healthy hooks alone.
pub(crate) fn healthy(hooks: &Hooks, row: &mut Row) -> Result<(), String> {
    block_on(async {
        let watch = Arc::new(Watch::new(""));
        let mut side = Side::new(hooks, "healthy", &watch);
        for _ in 0..2 {
            let mut call = calls::turn(FRIENDLY);
            let verdict = side.session.run(&mut call).await;
            side.calls += 1;
            if calls::text(&call).len() != side.calls || !verdict.decision.passed() {
                row.faults
                    .push("the healthy hooks alone are not well".into());
            }
        }
    })
}

/// Runs a future to its end. The future may wait and may spin.
fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let done = runtime.block_on(future);
    // A dropped call is not waited for.
    runtime.shutdown_background();
    Ok(done)
}
