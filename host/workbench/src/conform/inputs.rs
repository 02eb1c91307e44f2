//! What a component is called with.

use portcullis::points::PointId;

use crate::generate::{Given, Shape, given};

/// Input with a name.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) given: Given,
}

/// All sorts of valid input: what happens every day, every case of every variant, the extremes.
pub(super) fn of(point: PointId) -> Vec<Result<Input, String>> {
    let of = |name: String, shape| {
        let given = given(point, shape)?;
        Ok(Input { name, given })
    };
    let ordinary = of("ordinary".to_owned(), Shape::ORDINARY);
    let cases = ordinary.as_ref().map_or(0, |input| input.given.cases);
    let cases = (1..cases).map(|case| {
        let shape = Shape {
            case,
            ..Shape::ORDINARY
        };
        of(format!("case {} of {cases}", case + 1), shape)
    });
    let cases: Vec<_> = cases.collect();
    let extremes = Shape::EXTREMES
        .into_iter()
        .map(|(name, shape)| of(name.to_owned(), shape));
    [ordinary]
        .into_iter()
        .chain(cases)
        .chain(extremes)
        .collect()
}
