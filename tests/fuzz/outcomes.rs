//! What a component answers, at every point: right values, wrong ones, and bytes that are none.

use std::sync::Arc;

use anyhow::Context as _;
use arbitrary::Unstructured;
use futures::FutureExt as _;
use portcullis::contract::{ContentPart, Image, ImageSource};
use portcullis::points::{FailureRule, Order, OutcomeKind, PointId};
use portcullis::{Call, Cause, Decision, Hooks, RunStatus, Session, SessionOptions, Verdict};
use portcullis_tests::{AtPoint, HooksDir, Sample, at, hook};
use wit_parser::Type;

use crate::contract::Contract;
use crate::guest::{self, Descriptor};
use crate::memory::{BASE, MOST, Memory};
use crate::target::{Behaviour, Fault, Target};
use crate::value::{self, Value};

/// The hook that refuses.
const GUARD: &str = "probe";

struct Outcomes {
    contract: Contract,
    /// The hook alone.
    alone: Session,
    /// Behind it, a guard that refuses.
    guarded: Session,
    /// It looks on, behind a guard that refuses.
    watching: Session,
}

/// Where the hook stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    Guarded,
    Watching,
}

/// What a hook's memory holds, and what that is.
struct Answer {
    bytes: Vec<u8>,
    at: u32,
    /// The case of the outcome, of a value that is right.
    right: Option<Right>,
}

enum Right {
    Outcome(String),
    Error,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    let contract = Contract::read()?;
    let session = |role: usize, priority: u64, guard: bool| {
        hooks(&contract, role, priority, guard)
            .map(|hooks| hooks.session(SessionOptions::new("test")))
    };
    Ok(Box::new(Outcomes {
        alone: session(1, 100, false)?,
        guarded: session(1, 50, true)?,
        watching: session(2, 100, true)?,
        contract,
    }))
}

fn hooks(contract: &Contract, role: usize, priority: u64, guard: bool) -> anyhow::Result<Hooks> {
    let descriptor = Descriptor::right(contract, role, priority);
    let component = guest::component(contract, &descriptor).context("the hook that answers")?;
    // Failing in a row is its business.
    let mut settings = "[quarantine]\nfailures = 1000000\n".to_owned();
    settings += &hook(guest::ID, "", "");
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
        let ty = self.contract.result(point);
        let kind = u.int_in_range(0..=9)?;
        // Bytes that are nothing at all.
        if kind == 0 {
            return Ok(Answer {
                at: u.arbitrary::<u32>()? % (MOST as u32) + BASE,
                bytes: u.bytes(u.len())?.to_vec(),
                right: None,
            });
        }
        let value = value::any(&self.contract.resolve, &ty, u)?;
        let mut memory = match kind {
            1..=5 => Memory::spoiling(&self.contract, u),
            _ => Memory::sound(&self.contract),
        };
        let at = memory.write(&ty, &value)?;
        let (bytes, spoilt) = memory.done();
        let right = (!spoilt).then(|| self.right(&self.contract.outcome(point), &value));
        Ok(Answer { bytes, at, right })
    }

    fn right(&self, outcome: &Type, value: &Value) -> Right {
        match value {
            Value::Case(0, Some(value)) => match **value {
                Value::Case(case, _) => Right::Outcome(self.contract.case_name(outcome, case)),
                _ => unreachable!("an outcome is a variant"),
            },
            _ => Right::Error,
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
        let verdict = called::<P>(self.session, self.answer.at, &self.answer.bytes)?;
        let said = self.judge(&verdict).map_err(|fault| {
            let place = self.place;
            format!("{} {place:?}: {fault}; {:?}", P::ID, verdict.runs)
        })?;
        // It is well again.
        let next = called::<P>(self.session, BASE, &[0; 64])?;
        match run_of(&next) {
            Ok(RunStatus::Completed { .. } | RunStatus::Skipped) => {}
            status => return Err(format!("{}: the call after that: {status:?}", P::ID)),
        }
        Ok(format!("{} {:?} {said}", P::ID, self.place))
    }
}

/// A call whose content is what the hook answers with.
fn called<P: Sample>(session: &Session, at: u32, bytes: &[u8]) -> Result<Verdict<P>, Fault> {
    let mut image = at.to_le_bytes().to_vec();
    image.extend_from_slice(bytes);
    let mut call: Call<P> = P::sample();
    // Outside of any turn, whose budget all these calls would use up.
    call.context.turn = 0;
    call.views.content = Arc::new(vec![ContentPart::Image(Image {
        media_type: String::new(),
        source: ImageSource::Bytes(image),
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
            // It comes too late to change anything.
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
                    (Some(Right::Outcome(_)), Cause::BadOutput | Cause::Contributions) => {}
                    _ => return Err(format!("a value that is right: {cause}")),
                }
                Ok(format!("failed {cause}"))
            }
            // Where the order is reversed, the guard behind it is before it.
            RunStatus::Skipped if self.place == Place::Guarded && behind_the_guard(P::ID) => {
                Ok("skipped".into())
            }
            RunStatus::Skipped => Err("it did not run".into()),
            RunStatus::Backgrounded => Err("nobody asked for that".into()),
        }
    }

    /// What it answered is what it wrote.
    fn answered<P: Sample>(&self, outcome: OutcomeKind) -> Result<String, Fault> {
        if !P::INFO.outcomes.contains(&outcome) {
            return Err(format!("{outcome} is no outcome of {}", P::ID));
        }
        match &self.answer.right {
            Some(Right::Outcome(name)) if name != outcome.name() => {
                Err(format!("it wrote `{name}`, and that was read as {outcome}"))
            }
            Some(Right::Error) => Err("its error was taken for an answer".into()),
            _ => Ok(outcome.to_string()),
        }
    }
}
