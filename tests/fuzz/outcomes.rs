//! The answers of a component at every point: valid values, invalid ones, too many, none, answers
//! of other points, and bytes that are no values.

use std::sync::Arc;

use anyhow::Context as _;
use arbitrary::Unstructured;
use futures::FutureExt as _;
use portcullis::contract::{ContentPart, Image, ImageSource};
use portcullis::points::{FailureRule, Order, OutcomeKind, PointId};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Call, Decision, Hooks, Session, SessionOptions, Verdict};
use portcullis_tests::{AtPoint, HooksDir, Sample, at, hook};

use crate::contract::Contract;
use crate::guest::{self, CALLS, Called, Descriptor, Script};
use crate::memory::{MOST, Memory};
use crate::target::{Behaviour, Fault, Target};
use crate::value;

/// The hook that refuses.
const GUARD: &str = "probe";

struct Outcomes {
    contract: Contract,
    /// A session with only the hook.
    alone: Session,
    /// A session with the hook before a guard that refuses.
    guarded: Session,
    /// A session with the hook as an observer, after a guard that refuses.
    watching: Session,
}

/// The position of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    Guarded,
    Watching,
}

/// The actions of a hook, and their meaning.
struct Answer {
    script: Script,
    /// The expected result, if nothing in the script is spoilt.
    right: Option<Right>,
}

/// The result of a valid use of the imports.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Right {
    Continue,
    Outcome(String),
    Error,
    /// More than one answer, an answer of another point, or an answer that the return value denies.
    Misuse,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    let contract = Contract::read()?;
    let session = |role: &str, priority: u64, guard: bool| {
        hooks(&contract, role, priority, guard)
            .map(|hooks| hooks.session(SessionOptions::new("test")))
    };
    Ok(Box::new(Outcomes {
        alone: session("transform", 100, false)?,
        guarded: session("transform", 50, true)?,
        watching: session("observe", 100, true)?,
        contract,
    }))
}

fn hooks(contract: &Contract, role: &str, priority: u64, guard: bool) -> anyhow::Result<Hooks> {
    let descriptor = Descriptor::right(contract, priority);
    let component = guest::component(contract, &descriptor).context("the hook that answers")?;
    // The hook is expected to fail many times in a row.
    let mut settings = "[quarantine]\nfailures = 1000000\n".to_owned();
    settings += &hook(guest::ID, &format!("role = \"{role}\""), "");
    let mut dir = HooksDir::new().with_file("fuzz.wasm", &component);
    if guard {
        let refuses: String = PointId::ALL
            .iter()
            .filter(|point| refuses(**point))
            .map(|point| format!("{point} = \"reject\"\n"))
            .collect();
        settings += &hook(GUARD, "role = \"gate\"\npriority = 70", &refuses);
        dir = dir.with(GUARD);
    }
    Ok(dir.settings(&settings).try_load()?)
}

fn refuses(point: PointId) -> bool {
    point.info().outcomes.contains(&OutcomeKind::Reject)
}

fn behind_the_guard(point: PointId) -> bool {
    refuses(point) && point.info().order == Order::Reverse
}

impl Target for Outcomes {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let point = *u.choose(PointId::ALL).map_err(|e| e.to_string())?;
        let place = match u.int_in_range(0..=7) {
            Ok(0..=4) => Place::Alone,
            Ok(5..=6) => Place::Guarded,
            _ => Place::Watching,
        };
        let answer = self.answer(point, &mut u).map_err(|e| e.to_string())?;
        let session = match place {
            Place::Alone => &self.alone,
            Place::Guarded => &self.guarded,
            Place::Watching => &self.watching,
        };
        at(
            point,
            Try {
                session,
                place,
                answer: &answer,
            },
        )
    }
}

impl Outcomes {
    fn answer(&self, point: PointId, u: &mut Unstructured<'_>) -> arbitrary::Result<Answer> {
        let kind = u.int_in_range(0..=9)?;
        let count = match u.int_in_range(0..=7)? {
            0 => 0,
            1 => u.int_in_range(2..=CALLS)?,
            _ => 1,
        };
        let mut script = Script::default();
        // Values that are invalid for every type.
        if kind == 0 {
            for _ in 0..count {
                script.calls.push(Called {
                    function: self.function(point, u)?,
                    times: 1,
                    values: (0..16).map(|_| u.arbitrary()).collect::<Result<_, _>>()?,
                });
            }
            script.returns = u.arbitrary()?;
            let length = u.len().min(MOST);
            script.memory = u.bytes(length)?.to_vec();
            return Ok(Answer {
                script,
                right: None,
            });
        }
        let mut planned = Vec::new();
        for _ in 0..count {
            let function = self.function(point, u)?;
            let times = match (
                self.contract.answers[function].adds(),
                u.int_in_range(0..=7)?,
            ) {
                (true, 0) => u.int_in_range(250..=300)?,
                (_, 1) => u.int_in_range(0..=3)?,
                _ => 1,
            };
            let parameters = self.contract.answers[function].parameters.iter();
            let values = parameters.map(|(_, ty)| value::any(&self.contract.resolve, ty, u));
            planned.push((function, times, values.collect::<Result<Vec<_>, _>>()?));
        }
        let called = planned.iter().any(|(_, times, _)| *times > 0);
        script.returns = match u.int_in_range(0..=7)? {
            0 => u.arbitrary()?,
            1 => u32::from(!called),
            _ => u32::from(called),
        };
        let mut memory = match kind {
            1..=5 => Memory::spoiling(&self.contract, u),
            _ => Memory::sound(&self.contract),
        };
        for (function, times, arguments) in planned {
            let parameters = &self.contract.answers[function].parameters;
            let mut values = Vec::new();
            for ((_, ty), value) in parameters.iter().zip(&arguments) {
                values.extend(memory.pass(ty, value)?);
            }
            script.calls.push(Called {
                function,
                times,
                values,
            });
        }
        let (bytes, spoilt) = memory.done();
        script.memory = bytes;
        let right = (!spoilt).then(|| self.right(point, &script));
        Ok(Answer { script, right })
    }

    /// Returns a function to call: mostly one of the point's own.
    fn function(&self, point: PointId, u: &mut Unstructured<'_>) -> arbitrary::Result<usize> {
        let own: Vec<usize> = self.contract.at(point).map(|(index, _)| index).collect();
        match own.is_empty() || u.ratio(1, 8)? {
            true => u.choose_index(self.contract.answers.len()),
            false => Ok(*u.choose(&own)?),
        }
    }

    /// Returns the expected result of a script.
    fn right(&self, point: PointId, script: &Script) -> Right {
        let mut right = Right::Continue;
        for called in script.calls.iter().filter(|called| called.times > 0) {
            let answer = &self.contract.answers[called.function];
            if answer.point.is_some_and(|other| other != point) {
                return Right::Misuse;
            }
            let outcome = Right::Outcome(answer.outcome().to_owned());
            right = match right {
                Right::Continue if answer.adds() => outcome,
                Right::Continue if called.times == 1 && answer.point.is_none() => Right::Error,
                Right::Continue if called.times == 1 => outcome,
                given if answer.adds() && given == outcome => outcome,
                _ => return Right::Misuse,
            };
        }
        match (right, script.returns != 0) {
            (Right::Continue, false) => Right::Continue,
            (Right::Continue, true) | (_, false) => Right::Misuse,
            (right, true) => right,
        }
    }
}

struct Try<'a> {
    session: &'a Session,
    place: Place,
    answer: &'a Answer,
}

impl AtPoint for Try<'_> {
    type Output = Result<Behaviour, Fault>;

    fn at<P: Sample>(self) -> Self::Output {
        let verdict = called::<P>(self.session, &self.answer.script)?;
        let said = self.judge(&verdict).map_err(|fault| {
            let place = self.place;
            format!("{} {place:?}: {fault}; {:?}", P::ID, verdict.runs)
        })?;
        // The hook has recovered.
        let next = called::<P>(self.session, &Script::default())?;
        match run_of(&next) {
            Ok(RunStatus::Completed { .. } | RunStatus::Skipped) => {}
            status => return Err(format!("{}: the call after that: {status:?}", P::ID)),
        }
        Ok(format!("{} {:?} {said}", P::ID, self.place))
    }
}

/// Makes a call whose content is the hook's script.
fn called<P: Sample>(session: &Session, script: &Script) -> Result<Verdict<P>, Fault> {
    let mut call: Call<P> = P::sample();
    // Outside any turn: all these calls would exceed a turn's budget.
    call.context.turn = 0;
    call.views.content = Arc::new(vec![ContentPart::Image(Image {
        media_type: String::new(),
        source: ImageSource::Bytes(script.bytes()),
    })]);
    let verdict = session.run(&mut call).now_or_never();
    verdict.ok_or_else(|| format!("{}: a call that does not wait has not ended", P::ID))
}

fn run_of<P: Sample>(verdict: &Verdict<P>) -> Result<&RunStatus, Fault> {
    let mut runs = verdict.runs.iter();
    let mut runs = runs.by_ref().filter(|run| run.hook.as_str() == guest::ID);
    match (runs.next(), runs.next()) {
        (Some(run), None) => Ok(&run.status),
        (None, _) => Err("its run is lost".into()),
        (Some(_), Some(_)) => Err("it has run twice".into()),
    }
}

impl Try<'_> {
    fn judge<P: Sample>(&self, verdict: &Verdict<P>) -> Result<String, Fault> {
        let status = run_of(verdict)?;
        let passed = verdict.decision.passed();
        let refuses = refuses(P::ID);
        match (self.place, &verdict.decision) {
            // The answer comes too late to change anything.
            (Place::Watching, Decision::Rejected { by, .. }) if by.as_str() == GUARD => {}
            (Place::Watching, decision) if refuses => {
                return Err(format!("a refusal was cleared: {decision:?}"));
            }
            (Place::Guarded, Decision::Passed) if refuses => {
                return Err("the guard behind it was passed over".into());
            }
            _ => {}
        }
        match status {
            RunStatus::Completed { outcome, .. } => self.answered::<P>(*outcome),
            RunStatus::Failed { cause, fatal, .. } => {
                let known = [Cause::BadOutput, Cause::GuestError, Cause::Contributions];
                if !known.contains(cause) {
                    return Err(format!("the cause of a bad answer is {cause}"));
                }
                let closed =
                    self.place != Place::Watching && P::INFO.failure != FailureRule::NeverFatal;
                if *fatal != closed || closed && passed {
                    return Err("what fails closed let something pass".into());
                }
                match (&self.answer.right, cause) {
                    (Some(Right::Error), Cause::GuestError) | (None, _) => {}
                    (
                        Some(Right::Outcome(_) | Right::Misuse),
                        Cause::BadOutput | Cause::Contributions,
                    ) => {}
                    (Some(right), cause) => return Err(format!("{right:?} failed: {cause}")),
                }
                Ok(format!("failed {cause}"))
            }
            // In reversed order, the guard after the hook runs before it.
            RunStatus::Skipped if self.place == Place::Guarded && behind_the_guard(P::ID) => {
                Ok("skipped".into())
            }
            RunStatus::NotApplied { .. } => Err("nothing before it replaces a value".into()),
            RunStatus::Skipped => Err("it did not run".into()),
            RunStatus::Backgrounded => Err("nobody asked for that".into()),
        }
    }

    /// Checks that the verdict's answer is the answer that the hook wrote.
    fn answered<P: Sample>(&self, outcome: OutcomeKind) -> Result<String, Fault> {
        if !P::INFO.outcomes.contains(&outcome) {
            return Err(format!("{outcome} is no outcome of {}", P::ID));
        }
        match &self.answer.right {
            Some(Right::Outcome(name)) if name == outcome.name() => {}
            Some(Right::Continue) if outcome == OutcomeKind::Continue => {}
            None => {}
            Some(right) => return Err(format!("{right:?} was taken for {outcome}")),
        }
        Ok(outcome.to_string())
    }
}
