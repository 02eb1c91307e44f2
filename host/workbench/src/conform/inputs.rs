//! The inputs that a component is called with.

use portcullis::points::PointId;

use crate::generate::{Given, Shape, given};

/// The name of ordinary input.
const EVERYDAY: &str = "ordinary";

/// Input with a name.
pub(super) struct Input {
    pub(super) name: String,
    /// Whether the input is extreme, so that a hook may reach its limits.
    pub(super) extreme: bool,
    pub(super) given: Given,
}

/// Returns valid inputs: an ordinary one, one for each case of each variant, and the extremes.
pub(super) fn of(point: PointId) -> Vec<Result<Input, String>> {
    let made = |name: String, shape, extreme| {
        let given = given(point, shape)?;
        Ok(Input {
            name,
            extreme,
            given,
        })
    };
    let ordinary = made(EVERYDAY.to_owned(), Shape::COMPLETE, false);
    let cases = ordinary.as_ref().map_or(0, |input| input.given.cases);
    let cases = (1..cases).map(|case| {
        let shape = Shape {
            case,
            ..Shape::COMPLETE
        };
        made(format!("case {} of {cases}", case + 1), shape, false)
    });
    let cases: Vec<_> = cases.collect();
    let extremes = Shape::EXTREMES
        .into_iter()
        .map(|(name, shape)| made(name.to_owned(), shape, true));
    [ordinary]
        .into_iter()
        .chain(cases)
        .chain(extremes)
        .collect()
}
