//! The whole file of a case.

use std::path::Path;

use portcullis::Views;
use portcullis::contract::Context;
use portcullis::json::{JsonError, JsonPoint, from_json, to_json, views_from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::text::nearest;
use serde_json::{Map, Value};

use super::read::read_all;
use super::source::Source;
use super::{Case, CaseError, Expect, expect, setup, short};
use crate::generate::ordinary_input;

/// The keys of a case.
pub(super) const KEYS: [&str; 19] = [
    "about",
    "point",
    "now",
    "seed",
    "before",
    "context",
    "input",
    "views",
    "config",
    "grants",
    "limits",
    "state",
    "shared",
    "files",
    "secrets",
    "model",
    "http",
    "http-in-order",
    "expect",
];

pub(super) fn parse(path: &Path, text: &str) -> Result<Case, Vec<CaseError>> {
    let source = Source::parse(path, text).map_err(|e| vec![e])?;
    let mut errors: Vec<CaseError> = source.unknown(&KEYS).collect();
    let point = take(point(&source), &mut errors);
    let about = match source.value("about") {
        None => None,
        Some(Value::String(about)) => Some(about),
        Some(_) => {
            errors.push(source.error(&["about"], "must be a text".into()));
            None
        }
    };
    let context = context(&source, &mut errors);
    let views = views(&source, &mut errors);
    let setup = setup::setup(&source, &mut errors);
    let of_point = point.map(|point| of_point(&source, point, &views, &mut errors));
    let (Some(context), Some(point), Some((Some(input), before, expect)), true) =
        (context, point, of_point, errors.is_empty())
    else {
        errors.sort_by_key(|error| error.line);
        return Err(errors);
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Case {
        name: portcullis::text::sanitize_for_terminal(&name),
        file: path.to_owned(),
        about,
        point,
        context,
        input,
        views,
        before,
        setup,
        expect,
        source,
    })
}

fn take<T>(read: Result<T, CaseError>, errors: &mut Vec<CaseError>) -> Option<T> {
    read.map_err(|error| errors.push(error)).ok()
}

fn point(source: &Source) -> Result<PointId, CaseError> {
    let value = source.value("point");
    let Some(name) = value.as_ref().and_then(Value::as_str) else {
        let problem = "must name a lifecycle point that the hook serves; write point = \"POINT\" (`portcullis hooks inspect` shows those of the hook)";
        return Err(source.error(&["point"], problem.into()));
    };
    PointId::from_name(name).ok_or_else(|| {
        let names = PointId::ALL.iter().map(|point| point.name());
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`portcullis points` lists them".into(),
        };
        let name = portcullis::text::sanitize_for_terminal(name);
        source.error(&["point"], format!("there is no point `{name}`; {hint}"))
    })
}

/// Reads a key's value, and collects all errors in it.
fn read<T>(
    source: &Source,
    key: &str,
    said: Value,
    errors: &mut Vec<CaseError>,
    read: impl Fn(&Value) -> Result<T, JsonError>,
) -> Option<T> {
    let (value, wrong) = read_all(said, read);
    errors.extend(wrong.iter().map(|error| source.json_error(key, error)));
    value
}

fn table(source: &Source, key: &str, errors: &mut Vec<CaseError>) -> Map<String, Value> {
    take(source.table(key), errors).unwrap_or_default()
}

fn context(source: &Source, errors: &mut Vec<CaseError>) -> Option<Context> {
    let said = table(source, "context", errors);
    read(source, "context", said.into(), errors, |said| {
        let mut context = to_json(&crate::play::context())?;
        over(&mut context, said.clone());
        from_json(context)
    })
}

/// Reads the views. If views have errors, returns the valid parts.
fn views(source: &Source, errors: &mut Vec<CaseError>) -> Views {
    let mut said = table(source, "views", errors);
    if said.remove("verdict").is_some() {
        let problem = "is set by the chain; let another hook answer: before = { reject = { code = \"no\", reason = \"…\" } }";
        errors.push(source.error(&["views", "verdict"], problem.into()));
    }
    let views = read(source, "views", short::views(said), errors, |said| {
        views_from_json(said.clone())
    });
    views.unwrap_or_default()
}

/// Reads the parts that depend on the point: the record, another hook's earlier answer, and the
/// expected result.
fn of_point(
    source: &Source,
    point: PointId,
    views: &Views,
    errors: &mut Vec<CaseError>,
) -> (Option<Value>, Option<Value>, Option<Expect>) {
    let input = input(source, point, views, errors);
    let before = source.value("before").map(short::outcome);
    if let Some(before) = &before {
        read(source, "before", before.clone(), errors, |before| {
            point.visit(IsOutcome(before.clone()))
        });
    }
    (input, before, expect::expect(source, point, errors))
}

/// Reads the record: the case's values override those counted from the views.
fn input(
    source: &Source,
    point: PointId,
    views: &Views,
    errors: &mut Vec<CaseError>,
) -> Option<Value> {
    let said = table(source, "input", errors);
    let made = ordinary_input(point, views);
    let made = take(
        made.map_err(|problem| source.error(&["input"], problem)),
        errors,
    )?;
    read(source, "input", said.into(), errors, |said| {
        let mut input = made.clone();
        over(&mut input, said.clone());
        point.visit(IsInput(input.clone()))?;
        Ok(input)
    })
}

/// Merges values into others, key by key. A case of a variant replaces another case.
fn over(base: &mut Value, said: Value) {
    match (base, said) {
        (Value::Object(base), Value::Object(said)) => {
            for (key, value) in said {
                match base.get_mut(&key) {
                    Some(old @ Value::Object(_)) if !is_case(old) => over(old, value),
                    _ => {
                        base.insert(key, value);
                    }
                }
            }
        }
        (base, said) => *base = said,
    }
}

/// Returns whether a value may be a variant case with a payload: an object of one key.
fn is_case(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.len() == 1)
}

struct IsInput(Value);

impl PointVisitor for IsInput {
    type Output = Result<(), JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        from_json::<P::Input>(self.0).map(drop)
    }
}

struct IsOutcome(Value);

impl PointVisitor for IsOutcome {
    type Output = Result<(), JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        from_json::<P::Outcome>(self.0).map(drop)
    }
}
