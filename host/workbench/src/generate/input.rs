//! Input of a point.

use portcullis::Views;
use portcullis::json::{JsonPoint, to_json};
use portcullis::points::{PointId, PointVisitor};
use serde_json::Value;

use super::{Shape, facts, value, views};

/// The input of a hook at a point.
#[derive(Debug, Clone)]
pub struct Given {
    /// The point's record, in the JSON form.
    pub input: Value,
    /// The data that imports return.
    pub views: Views,
    /// The number of cases of the largest variant in the record; 0 if there is none.
    pub cases: usize,
}

/// Generates input of this shape for a point: its record, and views that fit it.
///
/// # Errors
///
/// A record cannot be generated, which would be a bug in this library.
pub fn given(point: PointId, shape: Shape) -> Result<Given, String> {
    let views = views::views(shape).map_err(|e| e.to_string())?;
    let (input, cases) = made(point, shape, &views)?;
    Ok(Given {
        input,
        views,
        cases,
    })
}

/// Returns a point's record in the JSON form, with default values and facts about these views.
pub(crate) fn ordinary_input(point: PointId, views: &Views) -> Result<Value, String> {
    Ok(made(point, Shape::ORDINARY, views)?.0)
}

fn made(point: PointId, shape: Shape, views: &Views) -> Result<(Value, usize), String> {
    let (mut input, cases) = point.visit(Make(shape))?;
    facts(&mut input, views);
    Ok((input, cases))
}

struct Make(Shape);

impl PointVisitor for Make {
    type Output = Result<(Value, usize), String>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let (input, cases) = value::value::<P::Input>(self.0).map_err(|e| e.to_string())?;
        Ok((to_json(&input).map_err(|e| e.to_string())?, cases))
    }
}

#[cfg(test)]
mod tests {
    use portcullis::json::from_json;

    use super::*;

    struct ReadBack(Value);

    impl PointVisitor for ReadBack {
        type Output = Result<Value, String>;

        fn visit<P: JsonPoint>(self) -> Self::Output {
            let input: P::Input = from_json(self.0).map_err(|e| e.to_string())?;
            to_json(&input).map_err(|e| e.to_string())
        }
    }

    #[test]
    fn every_point_has_valid_input_of_every_shape() {
        for &point in PointId::ALL {
            for (name, shape) in Shape::EXTREMES {
                let given = given(point, shape).unwrap();
                let read = point.visit(ReadBack(given.input.clone()));
                assert_eq!(read, Ok(given.input), "{point}, {name}");
            }
        }
    }

    #[test]
    fn facts_are_those_of_the_views() {
        let given = given(PointId::PreTurn, Shape::ORDINARY).unwrap();
        assert_eq!(given.input["text-bytes"], 5);
        assert_eq!(given.input["parts"], 1);
        let given = super::given(PointId::PreToolCall, Shape::ORDINARY).unwrap();
        assert_eq!(given.input["name"], "write_file");
        assert_eq!(
            given.input["arguments-bytes"],
            given.views.tool_arguments.len()
        );
    }

    #[test]
    fn the_cases_of_a_variant_are_counted_and_chosen() {
        let error = |case| {
            let shape = Shape {
                case,
                ..Shape::ORDINARY
            };
            given(PointId::LlmError, shape).unwrap()
        };
        assert_eq!(error(0).cases, 9);
        assert_ne!(error(0).input["kind"], error(1).input["kind"]);
    }
}
