//! Values of the contract's types, made from an input's bytes.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value as Json, json};
use wit_parser::{Resolve, Type, TypeDefKind};

/// A value of some type.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Bool(bool),
    /// An integer of any width. Excess bits are cut off.
    Int(u64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    /// A record's fields, or a tuple's.
    Fields(Vec<Value>),
    /// A case of a variant, an enum, an option or a result.
    Case(usize, Option<Box<Value>>),
}

/// Texts that have a meaning somewhere.
const TEXTS: &[&str] = &[
    "",
    "write",
    r#"{"path":"a"}"#,
    r#"{"path":1}"#,
    "{}",
    "[",
    "call-1",
    "p",
    "fuzz",
    "all fuel consumed by WebAssembly",
    "\u{1b}[2J\u{1b}]0;x\u{7}",
    "line\r\nline\u{2028}\u{202e}",
    "\u{0}",
    "no\u{301}\u{1f980}",
    r#"{"type":"object","$ref":"file:///etc/passwd"}"#,
    "[secret KEY]",
];

/// The limits of number types.
const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    255,
    65_536,
    i32::MAX as u64,
    u32::MAX as u64,
    i64::MAX as u64,
    u64::MAX,
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    1e300,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Makes a value of a type.
pub fn any(resolve: &Resolve, ty: &Type, u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match ty {
        Type::Bool => Value::Bool(u.arbitrary()?),
        Type::F32 | Type::F64 => Value::Float(match u.arbitrary()? {
            true => *u.choose(FLOATS)?,
            false => u.arbitrary()?,
        }),
        Type::String => Value::Text(text(u)?),
        Type::Id(id) => of_kind(resolve, &resolve.types[*id].kind, u)?,
        _ => Value::Int(match u.arbitrary()? {
            true => *u.choose(NUMBERS)?,
            false => u.arbitrary()?,
        }),
    })
}

fn of_kind(resolve: &Resolve, kind: &TypeDefKind, u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match kind {
        TypeDefKind::Type(ty) => any(resolve, ty, u)?,
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter().map(|field| any(resolve, &field.ty, u));
            Value::Fields(fields.collect::<Result<_>>()?)
        }
        TypeDefKind::Tuple(tuple) => {
            let fields = tuple.types.iter().map(|ty| any(resolve, ty, u));
            Value::Fields(fields.collect::<Result<_>>()?)
        }
        TypeDefKind::List(ty) => {
            let items = (0..length(u)?).map(|_| any(resolve, ty, u));
            Value::List(items.collect::<Result<_>>()?)
        }
        kind => {
            let payloads = payloads(kind);
            let case = u.choose_index(payloads.len())?;
            let payload = match &payloads[case] {
                Some(ty) => Some(Box::new(any(resolve, ty, u)?)),
                None => None,
            };
            Value::Case(case, payload)
        }
    })
}

/// Returns the payload types of a type's cases.
pub fn payloads(kind: &TypeDefKind) -> Vec<Option<Type>> {
    match kind {
        TypeDefKind::Variant(variant) => variant.cases.iter().map(|case| case.ty).collect(),
        TypeDefKind::Enum(cases) => vec![None; cases.cases.len()],
        TypeDefKind::Option(ty) => vec![None, Some(*ty)],
        TypeDefKind::Result(result) => vec![result.ok, result.err],
        kind => unreachable!("the contract has no {}", kind.as_str()),
    }
}

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=7)? {
        0..=3 => (*u.choose(TEXTS)?).to_owned(),
        4 => u.choose(TEXTS)?.repeat(u.int_in_range(1..=2_000)?),
        _ => {
            let length = length(u)?;
            let bytes = u.bytes(length.min(u.len()))?;
            String::from_utf8_lossy(bytes).into_owned()
        }
    })
}

fn length(u: &mut Unstructured<'_>) -> Result<usize> {
    Ok(match u.int_in_range(0..=15)? {
        n @ 0..=13 => n % 5,
        14 => u.int_in_range(5..=40)?,
        // More than the maximum number of contributions.
        _ => u.int_in_range(250..=300)?,
    })
}

/// Returns a value in the contract's JSON form.
pub fn json(resolve: &Resolve, ty: &Type, value: &Value) -> Json {
    let Type::Id(id) = ty else {
        return match value {
            Value::Bool(value) => json!(value),
            Value::Int(value) => json!(value),
            Value::Float(value) => json!(value),
            Value::Text(value) => json!(value),
            _ => Json::Null,
        };
    };
    match (&resolve.types[*id].kind, value) {
        (TypeDefKind::Type(ty), value) => json(resolve, ty, value),
        (TypeDefKind::Record(record), Value::Fields(values)) => {
            let fields = record.fields.iter().zip(values);
            let fields = fields.map(|(f, value)| (f.name.clone(), json(resolve, &f.ty, value)));
            Json::Object(Map::from_iter(fields))
        }
        (TypeDefKind::Tuple(tuple), Value::Fields(values)) => {
            let items = tuple.types.iter().zip(values);
            items.map(|(ty, value)| json(resolve, ty, value)).collect()
        }
        (TypeDefKind::List(ty), Value::List(values)) => values
            .iter()
            .map(|value| json(resolve, ty, value))
            .collect(),
        (TypeDefKind::Option(ty), Value::Case(_, payload)) => payload
            .as_deref()
            .map_or(Json::Null, |value| json(resolve, ty, value)),
        (kind, Value::Case(case, payload)) => {
            let (name, ty) = case_of(kind, *case);
            match (ty, payload.as_deref()) {
                (Some(ty), Some(value)) => json!({name: json(resolve, &ty, value)}),
                _ => json!(name),
            }
        }
        _ => Json::Null,
    }
}

/// Returns the name of a case, and its payload type.
pub fn case_of(kind: &TypeDefKind, case: usize) -> (String, Option<Type>) {
    match kind {
        TypeDefKind::Variant(variant) => {
            let case = &variant.cases[case];
            (case.name.clone(), case.ty)
        }
        TypeDefKind::Enum(cases) => (cases.cases[case].name.clone(), None),
        kind => (case.to_string(), payloads(kind)[case]),
    }
}
