//! A check that a component is a reliable hook. The component is called at every point that it
//! serves with many valid inputs: twice in a session, in consecutive sessions, and in two hosts.
//! Then it is called with limits that it cannot keep, to check its failure policy.

mod broken;
mod inputs;
mod policy;
mod tried;

use std::collections::BTreeMap;
use std::path::PathBuf;

use portcullis::contract::{ExecutionPolicy, HookRole};
use portcullis::limits::{Deterministic, Limits};
use portcullis::points::{AnswerKind, PointId};
use portcullis::report::HookReport;
use portcullis::verdict::Cause;
use serde::Serialize;

pub use broken::Provoked;
pub use policy::{Consequence, consequence};
pub use tried::Tried;

use crate::play::{Fixture, Outcome, Setup};
use crate::sample::{Sample, SampleError};

/// The conformance of a component.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ConformReport {
    /// The hook.
    pub hook: String,
    /// The component.
    pub component: PathBuf,
    /// The answers that the hook may give.
    pub role: HookRole,
    /// The limits of the hook.
    pub limits: Limits,
    /// The points that it serves.
    pub points: Vec<PointReport>,
}

/// The conformance of a component at one point.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PointReport {
    /// The point.
    pub point: PointId,
    /// The inputs it was called with, and the results.
    pub tried: Vec<Tried>,
    /// The effect of a hook failure on the operation.
    pub on_failure: Consequence,
    /// The failures that were provoked.
    pub provoked: Vec<Provoked>,
    /// The answers that the hook may give but gave for no input: their effect was not tested.
    pub not_reached: Vec<AnswerKind>,
    /// Errors.
    pub faults: Vec<String>,
    /// Notes for its author.
    pub notes: Vec<String>,
}

impl ConformReport {
    /// Returns whether there are no errors.
    pub fn conforms(&self) -> bool {
        self.points.iter().all(|point| point.faults.is_empty())
    }
}

impl PointReport {
    /// Returns the number of times that it gave each outcome.
    pub fn answers(&self) -> BTreeMap<&'static str, usize> {
        let mut answers = BTreeMap::new();
        for tried in &self.tried {
            *answers.entry(tried.outcome.name()).or_default() += 1;
        }
        answers
    }
}

/// Tests a component at every point that it serves. `progress` is called with each point first.
///
/// # Errors
///
/// The component does not load.
pub fn conform(sample: &Sample, progress: &dyn Fn(PointId)) -> Result<ConformReport, SampleError> {
    let report = &sample.report;
    let setup = Setup {
        deterministic: Some(Deterministic::default()),
        // Detached runs also have a verdict, once they end.
        execution: Some(ExecutionPolicy::Blocking),
        ..Setup::default()
    };
    let mut hosts = (Fixture::new(sample, &setup)?, Fixture::new(sample, &setup)?);
    let mut points = Vec::new();
    for &point in &report.points {
        progress(point);
        points.push(at(sample, point, &setup, &mut hosts)?);
    }
    Ok(ConformReport {
        hook: report.id.to_string(),
        component: sample.file.clone(),
        role: report.role,
        limits: report.limits.clone(),
        points,
    })
}

fn at(
    sample: &Sample,
    point: PointId,
    setup: &Setup,
    hosts: &mut (Fixture, Fixture),
) -> Result<PointReport, SampleError> {
    let on_failure = consequence(sample.report.failure, point);
    let (mut tried, mut faults) = (Vec::new(), Vec::new());
    for input in inputs::of(point) {
        match input {
            Ok(input) => tried.push(tried::of(point, &input, setup, hosts)),
            Err(problem) => faults.push(format!("no input can be generated: {problem}")),
        }
    }
    faults.extend(tried.iter().flat_map(Tried::faults));
    faults.extend(own_errors(&tried, |tried| !tried.extreme));
    let provoked = broken::provoke(sample, point, setup)?;
    faults.extend(
        provoked
            .iter()
            .filter_map(|broken| broken.fault(on_failure)),
    );
    Ok(PointReport {
        notes: notes(&tried),
        not_reached: not_reached(&sample.report, point, &tried),
        point,
        tried,
        on_failure,
        provoked,
        faults,
    })
}

/// Returns the answers that the component imports and its role allows, and that it gave for no
/// input.
fn not_reached(report: &HookReport, point: PointId, tried: &[Tried]) -> Vec<AnswerKind> {
    let answers = report.answers.get(&point).into_iter().flatten();
    let allowed = answers.filter(|kind| report.role.allows(kind.role()));
    let is_reached = |kind: &&AnswerKind| tried.iter().any(|tried| tried.gave.contains(*kind));
    allowed.filter(|kind| !is_reached(kind)).copied().collect()
}

/// Returns one text about the errors that the hook itself returned for some of the inputs. If it
/// returns errors for ordinary input, it or its configuration is wrong.
fn own_errors(tried: &[Tried], these: fn(&Tried) -> bool) -> Option<String> {
    let inputs: Vec<&Tried> = tried.iter().filter(|tried| these(tried)).collect();
    let own = Outcome::Failed(Cause::GuestError);
    let failed = |tried: &&&Tried| tried.outcome == own || tried.next == own;
    let mut errors = inputs.iter().filter(failed);
    let first = errors.next()?;
    let kind = match first.extreme {
        true => "extreme",
        false => "ordinary",
    };
    Some(format!(
        "it returned an error with {} of {} {kind} inputs, such as {}: {} (check its [config] in hooks.toml)",
        1 + errors.count(),
        inputs.len(),
        first.input,
        first.message.as_deref().unwrap_or_default()
    ))
}

fn notes(tried: &[Tried]) -> Vec<String> {
    let mut notes = Vec::from_iter(own_errors(tried, |tried| tried.extreme));
    for (tried, cause) in tried
        .iter()
        .filter_map(|tried| Some((tried, tried.limit()?)))
    {
        notes.push(format!(
            "with {} it reaches its limit of {cause}, and its failure policy applies; to change the limit: hooks.toml, [hooks.<id>.limits]",
            tried.input
        ));
    }
    if tried.iter().any(|tried| !tried.same_in_the_next_call) {
        notes.push("a second call in the same session has a different answer".to_owned());
    }
    notes
}
