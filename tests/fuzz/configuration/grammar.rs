//! Descriptors, JSON schemas and configurations: most of them valid, with words that have a meaning
//! somewhere.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value as Json, json};

use crate::guest::ID;
use crate::value::Value;

/// The maximum depth of schemas and configurations.
const DEEP: usize = 4;

/// The declarations of a hook, and an operator's configuration for it.
pub struct Given {
    pub descriptor: Value,
    pub schema: String,
    /// Custom sections of the component.
    pub sections: Vec<(&'static str, String)>,
    pub config: Json,
}

/// Keys of configurations.
const KEYS: &[&str] = &[
    "a",
    "b",
    "words",
    "a b",
    "x/y~",
    "$ref",
    "é\u{301}",
    "\u{1b}[2J",
    "\u{202e}",
];

/// Texts in descriptors, schemas and configurations.
const TEXTS: &[&str] = &[
    "",
    "a",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    "2026-11-27",
    "ada@example.com",
    "\u{1b}[2J\u{1b}]8;;https://evil.example\u{7}here",
    "line\r\nline\u{2028}\u{202e}",
    "\u{0}",
    "no\u{301}\u{1f980}",
    "(((((((((((((((((((((((((((((((((((((",
];

const ADDRESSES: &[&str] = &[
    "https://example.com/",
    "HTTP://example.com",
    "javascript:alert(1)",
    "data:text/html,a",
    "file:///etc/passwd",
    "https://example.com@evil.example/",
    "https://b\u{fc}cher.example/",
    "https://example.com/\u{202e}",
    "//example.com",
    "",
];

const SECTIONS: &[&str] = &[
    "homepage",
    "source",
    "licenses",
    "authors",
    "revision",
    "producers-not",
];

const TYPES: &[&str] = &[
    "string", "integer", "number", "boolean", "object", "array", "null", "text",
];

const PATTERNS: &[&str] = &[
    "^a+$",
    "^(a+)+$",
    "^(?=a)(a+)+$",
    "(a{1000}){1000}",
    "^(?!\\s)\\S*$",
    "[",
    "\\p{Letter}",
    "^[a-z]{1,3}$",
];

const FORMATS: &[&str] = &["date", "email", "regex", "uri", "ipv6", "uuid", "text"];

const REFS: &[&str] = &[
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/$defs/a%20b",
    "#/properties/a",
    "#/$defs/none",
    "#a",
    "http://127.0.0.1:1/schema.json",
    "file:///etc/passwd",
    "other.json#/a",
    "",
];

/// Keywords that describe a key and that a check ignores.
const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "$comment",
    "markdownDescription",
    "x-taplo",
    "$anchor",
    "$id",
];

impl Given {
    /// Makes a descriptor, a schema and a configuration from an input.
    pub fn any(u: &mut Unstructured<'_>) -> Result<Self> {
        let schema = match u.int_in_range(0..=15)? {
            0 => text(u)?,
            1 => nested(u.int_in_range(1..=200)?),
            2 => format!("{}{{}}", " ".repeat(u.int_in_range(0..=300_000)?)),
            _ => schema(u, DEEP)?.to_string(),
        };
        let config = match u.ratio(1, 16)? {
            true => json!({}),
            false => object(u, DEEP)?,
        };
        let sections = (0..u.int_in_range(0..=2)?).map(|_| {
            let section = *u.choose(SECTIONS)?;
            Ok((
                section,
                match u.arbitrary()? {
                    true => (*u.choose(ADDRESSES)?).to_owned(),
                    false => text(u)?,
                },
            ))
        });
        let sections = sections.collect::<Result<_>>()?;
        Ok(Self {
            descriptor: descriptor(u)?,
            schema,
            sections,
            config,
        })
    }
}

/// Returns a descriptor of a hook that serves one point.
fn descriptor(u: &mut Unstructured<'_>) -> Result<Value> {
    let none = || Value::Case(0, None);
    let id = match u.ratio(1, 32)? {
        true => text(u)?,
        false => ID.to_owned(),
    };
    let texts = [id, text(u)?, text(u)?, text(u)?];
    let mut fields: Vec<Value> = texts.into_iter().map(Value::Text).collect();
    let after = (0..u.int_in_range(0..=2)?).map(|_| {
        Ok(Value::Text(match u.ratio(1, 8)? {
            true => text(u)?,
            false => "other-hook".to_owned(),
        }))
    });
    let after = after.collect::<Result<Vec<_>>>()?;
    fields.extend([
        Value::List(vec![Value::Text("pre-turn".into())]),
        Value::Case(1, Some(Box::new(Value::Int(u.arbitrary()?)))),
        none(),
        Value::Case(1, Some(Box::new(Value::Int(u.arbitrary()?)))),
        Value::Case(0, None),
        Value::List(match u.ratio(1, 32)? {
            true => vec![Value::Text("other-hook".into()); 300],
            false => after,
        }),
    ]);
    Ok(Value::Fields(fields))
}

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=15)? {
        0 => u.choose(TEXTS)?.repeat(u.int_in_range(1..=2_000)?),
        1 => String::from_utf8_lossy(u.bytes(u.len().min(16))?).into_owned(),
        _ => (*u.choose(TEXTS)?).to_owned(),
    })
}

fn nested(levels: usize) -> String {
    format!("{}{{}}{}", "{\"not\":".repeat(levels), "}".repeat(levels))
}

/// Returns a value of a configuration.
fn value(u: &mut Unstructured<'_>, deep: usize) -> Result<Json> {
    Ok(match u.int_in_range(0..=if deep == 0 { 4 } else { 6 })? {
        0 => json!(u.int_in_range(-3..=1_000_i64)?),
        1 => json!(u.arbitrary::<bool>()?),
        2 => json!(f64::from(u.int_in_range(-8..=8_i32)?) / 4.0),
        3 | 4 => json!(text(u)?),
        5 => {
            let items = (0..u.int_in_range(0..=4)?).map(|_| value(u, deep - 1));
            Json::Array(items.collect::<Result<_>>()?)
        }
        _ => object(u, deep - 1)?,
    })
}

fn object(u: &mut Unstructured<'_>, deep: usize) -> Result<Json> {
    let mut members = Map::new();
    for _ in 0..u.int_in_range(0..=4)? {
        members.insert(key(u)?, value(u, deep)?);
    }
    Ok(Json::Object(members))
}

fn key(u: &mut Unstructured<'_>) -> Result<String> {
    Ok((*u.choose(KEYS)?).to_owned())
}

fn schema(u: &mut Unstructured<'_>, deep: usize) -> Result<Json> {
    if u.ratio(1, 16)? {
        return match u.arbitrary()? {
            true => Ok(json!(u.arbitrary::<bool>()?)),
            false => value(u, 1),
        };
    }
    let mut members = Map::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let (keyword, value) = keyword(u, deep)?;
        members.insert(keyword.to_owned(), value);
    }
    if deep == DEEP {
        let mut parts = Map::new();
        for name in ["a", "b", "a b"] {
            parts.insert(name.to_owned(), schema(u, 1)?);
        }
        members.insert("$defs".to_owned(), Json::Object(parts));
        if u.ratio(1, 8)? {
            // Keywords of another draft have other meanings: an editor reads one draft.
            members.insert(
                "$schema".to_owned(),
                json!("https://json-schema.org/draft/2020-12/schema"),
            );
        }
    }
    Ok(Json::Object(members))
}

fn keyword(u: &mut Unstructured<'_>, deep: usize) -> Result<(&'static str, Json)> {
    let last = if deep == 0 { 11 } else { 19 };
    Ok(match u.int_in_range(0..=last)? {
        0 => ("type", json!(u.choose(TYPES)?)),
        1 => ("type", json!([u.choose(TYPES)?, u.choose(TYPES)?])),
        2 => ("required", json!([key(u)?])),
        3 => ("pattern", json!(u.choose(PATTERNS)?)),
        4 => ("format", json!(u.choose(FORMATS)?)),
        5 => ("enum", json!([value(u, 1)?, value(u, 1)?])),
        6 => ("const", value(u, 1)?),
        7 => (
            *u.choose(&[
                "minimum",
                "maximum",
                "minLength",
                "maxLength",
                "minItems",
                "maxProperties",
                "multipleOf",
            ])?,
            value(u, 0)?,
        ),
        8 => ("uniqueItems", json!(true)),
        9 => ("$ref", json!(u.choose(REFS)?)),
        10 => (*u.choose(ANNOTATIONS)?, json!(text(u)?)),
        11 => (
            *u.choose(&["default", "examples"])?,
            json!([{ "$ref": "http://127.0.0.1:1/" }, value(u, 1)?]),
        ),
        12 | 13 => {
            let mut members = Map::new();
            for _ in 0..u.int_in_range(1..=3)? {
                members.insert(key(u)?, schema(u, deep - 1)?);
            }
            (
                *u.choose(&[
                    "properties",
                    "properties",
                    "dependentSchemas",
                    "definitions",
                ])?,
                Json::Object(members),
            )
        }
        14 => (
            "patternProperties",
            json!({ *u.choose(PATTERNS)?: schema(u, deep - 1)? }),
        ),
        15 => (
            *u.choose(&["allOf", "anyOf", "oneOf", "prefixItems"])?,
            json!([schema(u, deep - 1)?, schema(u, deep - 1)?]),
        ),
        16 => (
            *u.choose(&[
                "not",
                "if",
                "then",
                "else",
                "contains",
                "items",
                "propertyNames",
            ])?,
            schema(u, deep - 1)?,
        ),
        17 => ("additionalProperties", schema(u, deep - 1)?),
        18 => (
            *u.choose(&["unevaluatedProperties", "unevaluatedItems"])?,
            schema(u, deep - 1)?,
        ),
        _ => (
            *u.choose(&[
                "$dynamicRef",
                "$recursiveRef",
                "$vocabulary",
                "contentMediaType",
            ])?,
            json!(text(u)?),
        ),
    })
}
