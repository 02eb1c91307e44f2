//! The input of a measured call.

use portcullis::Views;
use portcullis::contract::ExecutionPolicy;
use portcullis::json::JsonError;
use portcullis::points::PointId;
use serde_json::Value;

use crate::case::Case;
use crate::generate::{Shape, given};
use crate::play::Setup;
use crate::sample::Sample;

/// The input of a measured call.
#[derive(Debug, Clone)]
pub struct Trial {
    /// A description of the input's source.
    pub name: String,
    /// The point.
    pub point: PointId,
    /// The point's record, in the JSON form.
    pub input: Value,
    /// The views.
    pub views: Views,
    /// The setup.
    pub setup: Setup,
}

/// The error that a component has no input to be called with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The component serves no point, or not the point of the case.
    #[error(
        "`{hook}` does not serve `{point}`, which the case `{case}` is about; choose another with --case"
    )]
    NotServed {
        /// The hook.
        hook: String,
        /// The case.
        case: String,
        /// The point.
        point: PointId,
    },
    /// No input can be generated.
    #[error("no input can be generated: {0}; write a case (docs/cases.md)")]
    NotMade(String),
    /// The input does not fit the point.
    #[error("the input does not fit the point: {0}")]
    NotInput(#[from] JsonError),
}

impl Trial {
    /// Returns the call of a case.
    ///
    /// # Errors
    ///
    /// The component does not serve the point of the case.
    pub fn of_case(sample: &Sample, case: Case) -> Result<Self, TrialError> {
        if !sample.report.points.contains(&case.point) {
            return Err(TrialError::NotServed {
                hook: sample.report.id.to_string(),
                case: case.name,
                point: case.point,
            });
        }
        Ok(Self {
            name: format!("case {}", case.name),
            point: case.point,
            input: case.input,
            views: case.views,
            setup: blocking(case.setup),
        })
    }

    /// Returns a call with generated input, at the first point that the component serves.
    ///
    /// # Errors
    ///
    /// The component serves no point.
    pub fn generated(sample: &Sample) -> Result<Self, TrialError> {
        let first = sample.report.points.first();
        let point = *first.ok_or_else(|| TrialError::NotMade("it serves no point".into()))?;
        let given = given(point, Shape::COMPLETE).map_err(TrialError::NotMade)?;
        Ok(Self {
            name: "generated input".into(),
            point,
            input: given.input,
            views: given.views,
            setup: blocking(Setup::default()),
        })
    }
}

/// Makes the run blocking, because a detached run cannot be timed.
fn blocking(setup: Setup) -> Setup {
    Setup {
        execution: Some(ExecutionPolicy::Blocking),
        ..setup
    }
}
