//! A case's file, put together.

use std::path::Path;

use portcullis::Views;
use portcullis::contract::Context;
use portcullis::json::{JsonPoint, from_json, to_json, views_from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::text::nearest;
use serde_json::Value;

use super::source::Source;
use super::{Case, CaseError, expect, setup, short};
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
    let Some(point) = take(point(&source), &mut errors) else {
        return Err(errors);
    };
    let about = match source.value("about") {
        None => None,
        Some(Value::String(about)) => Some(about),
        Some(_) => {
            errors.push(source.error(&["about"], "must be a text".into()));
            None
        }
    };
    let context = take(context(&source), &mut errors);
    let views = take(views(&source), &mut errors);
    let before = source.value("before").map(short::outcome);
    if let Some(before) = &before
        && let Err(error) = point.visit(IsOutcome(before.clone()))
    {
        errors.push(source.json_error("before", &error));
    }
    let input = views
        .as_ref()
        .and_then(|views| take(input(&source, point, views), &mut errors));
    let setup = setup::setup(&source, &mut errors);
    let expect = expect::expect(&source, point, &mut errors);
    let (Some(context), Some(views), Some(input), true) =
        (context, views, input, errors.is_empty())
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
        let problem = "the key `point` must name a lifecycle point; write point = \"pre-turn\" (`portcullis points` lists them)";
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

fn context(source: &Source) -> Result<Context, CaseError> {
    let said = source.table("context")?;
    let mut context =
        to_json(&crate::play::context()).map_err(|e| source.json_error("context", &e))?;
    over(&mut context, Value::Object(said));
    from_json(context).map_err(|e| source.json_error("context", &e))
}

fn views(source: &Source) -> Result<Views, CaseError> {
    let said = source.table("views")?;
    if said.contains_key("verdict") {
        let problem = "is set by the chain; let another hook answer: before = { reject = { code = \"no\", reason = \"…\" } }";
        return Err(source.error(&["views", "verdict"], problem.into()));
    }
    views_from_json(short::views(said)).map_err(|e| source.json_error("views", &e))
}

/// The record: what is said of it, over what is counted from the views.
fn input(source: &Source, point: PointId, views: &Views) -> Result<Value, CaseError> {
    let said = source.table("input")?;
    let made = ordinary_input(point, views);
    let mut input = made.map_err(|problem| source.error(&["input"], problem))?;
    over(&mut input, Value::Object(said));
    match point.visit(IsInput(input.clone())) {
        Ok(()) => Ok(input),
        Err(error) => Err(source.json_error("input", &error)),
    }
}

/// Puts values over others, key by key. A case of a variant takes another's place.
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

/// Whether a value may be a case that carries something: an object of one key.
fn is_case(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.len() == 1)
}

struct IsInput(Value);

impl PointVisitor for IsInput {
    type Output = Result<(), portcullis::json::JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        from_json::<P::Input>(self.0).map(drop)
    }
}

struct IsOutcome(Value);

impl PointVisitor for IsOutcome {
    type Output = Result<(), portcullis::json::JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        from_json::<P::Outcome>(self.0).map(drop)
    }
}
