//! What a component is called with.

use portcullis::Views;
use portcullis::contract::ExecutionPolicy;
use portcullis::json::JsonError;
use portcullis::points::PointId;
use serde_json::Value;

use crate::case::Case;
use crate::generate::{Shape, given};
use crate::play::Setup;
use crate::specimen::Specimen;

/// What a component is called with.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Where it is from, in words.
    pub name: String,
    /// The point.
    pub point: PointId,
    /// The point's record, in the JSON form.
    pub input: Value,
    /// What it sees.
    pub views: Views,
    /// How it is set up.
    pub setup: Setup,
}

/// There is nothing to call a component with.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It serves no point, or not the one.
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
    /// Input cannot be made up.
    #[error("input cannot be made up: {0}; write a case (docs/cases.md)")]
    NotMade(String),
    /// The input is none.
    #[error("the input is not what the point takes: {0}")]
    NotInput(#[from] JsonError),
}

impl Trial {
    /// The call of a case.
    ///
    /// # Errors
    ///
    /// The component does not serve its point.
    pub fn of_case(specimen: &Specimen, case: Case) -> Result<Self, TrialError> {
        if !specimen.report.points.contains(&case.point) {
            return Err(TrialError::NotServed {
                hook: specimen.report.id.to_string(),
                case: case.name,
                point: case.point,
            });
        }
        Ok(Self {
            name: format!("case {}", case.name),
            point: case.point,
            input: case.input,
            views: case.views,
            setup: waited_for(case.setup),
        })
    }

    /// A call with made-up input, at the first point that the component serves.
    ///
    /// # Errors
    ///
    /// It serves none.
    pub fn made_up(specimen: &Specimen) -> Result<Self, TrialError> {
        let first = specimen.report.points.first();
        let point = *first.ok_or_else(|| TrialError::NotMade("it serves no point".into()))?;
        let given = given(point, Shape::COMPLETE).map_err(TrialError::NotMade)?;
        Ok(Self {
            name: "made-up input".into(),
            point,
            input: given.input,
            views: given.views,
            setup: waited_for(Setup::default()),
        })
    }
}

/// What nobody waits for cannot be timed.
fn waited_for(setup: Setup) -> Setup {
    Setup {
        execution: Some(ExecutionPolicy::Blocking),
        ..setup
    }
}
