//! Failures that are provoked, by limits that no hook can keep.

use std::time::Duration;

use portcullis::points::PointId;
use portcullis::settings::{Isolation, LimitOverrides};
use portcullis::{Cause, Deterministic};
use serde::Serialize;

use super::Consequence;
use crate::generate::{Shape, given};
use crate::play::{Given, Outcome, Rig, Setup, context, play};
use crate::specimen::{Specimen, SpecimenError};

/// How often a hook is called that may be too fast for a deadline.
const TRIES: usize = 20;

/// A failure that was provoked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Provoked {
    /// The limit that was made too small.
    pub limit: &'static str,
    /// What came of it; nothing where the hook was done before it was reached.
    pub cause: Option<Cause>,
    /// Whether the operation went on.
    pub goes_on: Option<bool>,
    #[serde(skip)]
    expected: Cause,
    #[serde(skip)]
    may_be_too_fast: bool,
}

/// Provokes what can be provoked at a point.
pub(super) fn provoke(
    specimen: &Specimen,
    point: PointId,
    setup: &Setup,
) -> Result<Vec<Provoked>, SpecimenError> {
    let said = specimen.said().limits;
    let least = [
        (
            "fuel",
            Cause::Fuel,
            LimitOverrides {
                fuel: Some(Some(1)),
                ..said.clone()
            },
        ),
        (
            "deadline-ms",
            Cause::Deadline,
            LimitOverrides {
                deadline: Some(Duration::from_micros(1)),
                ..said.clone()
            },
        ),
        (
            "memory-bytes",
            Cause::Memory,
            LimitOverrides {
                memory_bytes: Some(1),
                ..said
            },
        ),
    ];
    least
        .into_iter()
        .filter(|(_, cause, _)| *cause != Cause::Fuel || specimen.report.limits.fuel.is_some())
        .map(|(limit, expected, limits)| {
            let setup = Setup {
                limits: Some(limits),
                // A start is part of the call, and the longest part of many.
                isolation: Some(Isolation::Call),
                deterministic: Some(Deterministic::default()),
                ..setup.clone()
            };
            let may_be_too_fast = expected == Cause::Deadline;
            let (cause, goes_on) = one(specimen, point, &setup, may_be_too_fast)?;
            Ok(Provoked {
                limit,
                cause,
                goes_on,
                expected,
                may_be_too_fast,
            })
        })
        .collect()
}

/// Calls it until it fails.
fn one(
    specimen: &Specimen,
    point: PointId,
    setup: &Setup,
    again: bool,
) -> Result<(Option<Cause>, Option<bool>), SpecimenError> {
    let mut rig = Rig::new(specimen, setup)?;
    let Ok(made) = given(point, Shape::COMPLETE) else {
        return Ok((None, None));
    };
    for turn in 1..=if again { TRIES } else { 1 } {
        let mut context = context();
        context.turn = turn as u32;
        let given = Given {
            context,
            input: &made.input,
            views: &made.views,
            before: None,
        };
        if let Ok(got) = play(&mut rig, point, &given)
            && let Outcome::Failed(cause) = got.outcome
            && cause != Cause::GuestError
        {
            let goes_on = got.fields.get("goes-on").and_then(|value| value.as_bool());
            return Ok((Some(cause), goes_on));
        }
    }
    Ok((None, None))
}

impl Provoked {
    /// What is not as it must be.
    pub(super) fn fault(&self, on_failure: Consequence) -> Option<String> {
        match (self.cause, self.goes_on) {
            (None, _) if self.may_be_too_fast => None,
            (None, _) => Some(format!("with the least of {}: it did not fail", self.limit)),
            (Some(cause), _) if cause != self.expected => Some(format!(
                "with the least of {}: the cause is `{cause}`, and not `{}`",
                self.limit, self.expected
            )),
            (Some(_), goes_on) if goes_on != Some(on_failure.goes_on()) => Some(format!(
                "with the least of {}: the operation {} on",
                self.limit,
                if goes_on == Some(true) {
                    "goes"
                } else {
                    "does not go"
                },
            )),
            _ => None,
        }
    }
}
