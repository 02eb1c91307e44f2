//! Provoking failures with limits that no hook can keep.

use std::time::Duration;

use portcullis::limits::Deterministic;
use portcullis::points::PointId;
use portcullis::settings::{Isolation, LimitOverrides};
use portcullis::verdict::Cause;
use serde::Serialize;

use super::Consequence;
use crate::generate::{Shape, given};
use crate::play::{Fixture, Given, Outcome, Setup, context, play};
use crate::sample::{Sample, SampleError};

/// The number of attempts, because a call may end before its deadline.
const TRIES: usize = 20;

/// A provoked failure.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Provoked {
    /// The limit that was made too small.
    pub limit: &'static str,
    /// The cause; `None` if the hook ended before it reached the limit.
    pub cause: Option<Cause>,
    /// Whether the operation continued.
    pub continues: Option<bool>,
    #[serde(skip)]
    expected: Cause,
    #[serde(skip)]
    may_be_too_fast: bool,
}

/// Provokes all possible failures at a point.
pub(super) fn provoke(
    sample: &Sample,
    point: PointId,
    setup: &Setup,
) -> Result<Vec<Provoked>, SampleError> {
    let said = sample.said().limits;
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
        .filter(|(_, cause, _)| *cause != Cause::Fuel || sample.report.limits.fuel.is_some())
        .map(|(limit, expected, limits)| {
            let setup = Setup {
                limits: Some(limits),
                // The start is part of the call then, and often the longest part.
                isolation: Some(Isolation::Call),
                deterministic: Some(Deterministic::default()),
                ..setup.clone()
            };
            let may_be_too_fast = expected == Cause::Deadline;
            let (cause, continues) = one(sample, point, &setup, may_be_too_fast)?;
            Ok(Provoked {
                limit,
                cause,
                continues,
                expected,
                may_be_too_fast,
            })
        })
        .collect()
}

/// Calls the hook until it fails.
fn one(
    sample: &Sample,
    point: PointId,
    setup: &Setup,
    again: bool,
) -> Result<(Option<Cause>, Option<bool>), SampleError> {
    let mut fixture = Fixture::new(sample, setup)?;
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
        if let Ok(got) = play(&mut fixture, point, &given)
            && let Outcome::Failed(cause) = got.outcome
            && cause != Cause::GuestError
        {
            let continues = got
                .fields
                .get("continues")
                .and_then(|value| value.as_bool());
            return Ok((Some(cause), continues));
        }
    }
    Ok((None, None))
}

impl Provoked {
    /// Returns the error, if the result is not as expected.
    pub(super) fn fault(&self, on_failure: Consequence) -> Option<String> {
        match (self.cause, self.continues) {
            (None, _) if self.may_be_too_fast => None,
            (None, _) => Some(format!("with the smallest {}: it did not fail", self.limit)),
            (Some(cause), _) if cause != self.expected => Some(format!(
                "with the smallest {}: the cause is `{cause}`, not `{}`",
                self.limit, self.expected
            )),
            (Some(_), continues) if continues != Some(on_failure.continues()) => Some(format!(
                "with the smallest {}: the operation {}",
                self.limit,
                if continues == Some(true) {
                    "continues"
                } else {
                    "does not continue"
                },
            )),
            _ => None,
        }
    }
}
