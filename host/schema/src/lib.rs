//! JSON schemas that may be a stranger's (a hook's, an MCP server's): what compiling one and checking with
//! it can take is bounded before either begins.
//!
//! ```
//! use portcullis_schema::Schema;
//! use serde_json::json;
//!
//! let schema = Schema::parse(r#"{"type": "object", "required": ["path"]}"#).expect("a schema");
//! assert!(schema.check(&json!({"path": "a"}), 1).is_ok());
//! assert!(schema.check(&json!({}), 1).is_err());
//! ```
//!
//! It is a crate of its own, so that the validator is compiled once: a crate that is optimised for speed, as `portcullis`
//! is, compiles again what is generic in those that it uses.

mod graph;
mod work;

use std::fmt::{self, Display, Formatter};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use self::graph::Graph;
use self::work::TooMuchWork;

/// The longest schema, in bytes.
const MOST_BYTES: usize = 256 << 10;
/// The regular expressions that strings of any length are matched by: the bytes of their programs, and
/// what matching one byte counts.
const SIMPLE_PATTERNS: [(usize, u64); 2] = [(4 << 10, 1), (32 << 10, 32)];
/// The largest regular expression of all.
const LARGEST_PATTERN: usize = 256 << 10;
/// What matching one byte by a pattern that looks around counts: the strings of a
/// check have some 3,900 bytes at most, together.
const PER_BYTE_AROUND: u64 = 256;
/// How often one that looks around may try again, for one string.
const MOST_RETRIES: usize = 4_000;
/// The most work for which a check is made a second time, to say what is wrong. What is wrong is
/// collected for every branch, and takes memory.
const MOST_TO_EXPLAIN: u64 = 50_000;

/// A schema, ready for checks.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    graph: Graph,
    /// What matching one byte takes.
    per_byte: u64,
}

/// Why a text is no schema that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaError {
    /// It is not JSON: why.
    NotJson(String),
    /// It is no schema: why.
    NotASchema(String),
    /// It is too large: in what.
    TooComplex(String),
}

/// Why a value does not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// Checking it would take too much work.
    TooMuchWork,
    /// It does not fit, and finding out why would take too much work.
    Unexplained,
    /// What is wrong with it: at least one thing.
    Wrong(Vec<Wrong>),
}

/// Something that is wrong with a value. It never quotes the value; of a wrong type it tells the value's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Where in the value, as a JSON pointer.
    pub at: String,
    /// What.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Keys that the schema does not allow.
    Unknown {
        /// The keys.
        keys: Vec<String>,
        /// The part of the schema that does not allow them, as a JSON pointer.
        schema: String,
    },
    /// A key that the schema requires.
    Missing(String),
    /// Anything else, in the validator's words.
    Other(String),
}

/// Reads the text of a schema, of which only the size and the depth are known then.
///
/// # Errors
///
/// It is not JSON, or too long.
pub fn read(text: &str) -> Result<Value, SchemaError> {
    if text.len() > MOST_BYTES {
        let bytes = text.len();
        return Err(SchemaError::TooComplex(format!(
            "it has {bytes} bytes, and the limit is {MOST_BYTES}"
        )));
    }
    // The parser reads no deeper than 128 levels.
    serde_json::from_str(text).map_err(|e| SchemaError::NotJson(e.to_string()))
}

impl Schema {
    /// Reads and compiles a schema.
    ///
    /// # Errors
    ///
    /// Those of [`read`] and [`Self::of`].
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        Self::of(&read(text)?)
    }

    /// Compiles a schema that [`read`] gave.
    ///
    /// # Errors
    ///
    /// It is no schema, or compiling it or checking with it would take too much.
    pub fn of(schema: &Value) -> Result<Self, SchemaError> {
        let graph = Graph::read(schema).map_err(SchemaError::TooComplex)?;
        let (validator, per_byte) = compile(schema, &graph)?;
        Ok(Self {
            validator,
            graph,
            per_byte,
        })
    }

    /// How many subschemas and regular expressions it has.
    pub fn parts(&self) -> (usize, usize) {
        (self.graph.len(), self.graph.patterns())
    }

    /// Checks a value. Says up to `most` things that are wrong with it.
    ///
    /// # Errors
    ///
    /// It does not fit, or to find out would take too much work.
    pub fn check(&self, value: &Value, most: usize) -> Result<(), Misfit> {
        let work = work::of(&self.graph, value, self.per_byte)
            .map_err(|TooMuchWork| Misfit::TooMuchWork)?;
        if self.validator.is_valid(value) {
            return Ok(());
        }
        if work > MOST_TO_EXPLAIN {
            return Err(Misfit::Unexplained);
        }
        let mut wrong = Vec::new();
        for error in self.validator.iter_errors(value).take(most) {
            Wrong::put(&error, &mut wrong);
        }
        wrong.truncate(most);
        Err(Misfit::Wrong(wrong))
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { keys, .. } => {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                write!(f, "unknown: {}", keys.join(", "))
            }
            Self::Missing(key) => write!(f, "`{key}` is missing"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

/// Whether an alternative takes nothing but `null`.
fn is_null(branch: &[ValidationError<'_>]) -> bool {
    let [error] = branch else { return false };
    let kind = error.kind();
    matches!(
        kind,
        ValidationErrorKind::Type {
            kind: TypeKind::Single(JsonType::Null)
        }
    )
}

/// How many values are named of those that would fit.
const MOST_VALUES: usize = 20;

/// The values that alternatives take, if each takes some values only and they are few.
fn values(alternatives: &[Vec<ValidationError<'_>>]) -> Option<Vec<String>> {
    let values = alternatives.iter().map(|branch| {
        branch.iter().find_map(|error| match error.kind() {
            ValidationErrorKind::Constant { expected_value } => {
                Some(vec![expected_value.to_string()])
            }
            ValidationErrorKind::Enum { options } => Some(
                options
                    .as_array()?
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
            ),
            _ => None,
        })
    });
    let values = values.collect::<Option<Vec<_>>>()?.concat();
    (values.len() <= MOST_VALUES).then_some(values)
}

impl Wrong {
    /// Adds what an error says. Of alternatives, as `anyOf` and `null` for what is optional, the one is meant whose
    /// type the value has.
    fn put(error: &ValidationError<'_>, into: &mut Vec<Self>) {
        let (ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfNotValid { context }) = error.kind()
        else {
            return into.push(Self::of(error));
        };
        let at = error.instance_path();
        let is_of_type = |branch: &&Vec<ValidationError<'_>>| {
            let mut errors = branch.iter();
            !errors.any(|it| {
                it.instance_path() == at && matches!(it.kind(), ValidationErrorKind::Type { .. })
            })
        };
        let of_type: Vec<_> = context.iter().filter(is_of_type).collect();
        let not_null: Vec<_> = context.iter().filter(|it| !is_null(it)).collect();
        match (&of_type[..], &not_null[..]) {
            ([branch], _) | ([], [branch]) => branch.iter().for_each(|it| Self::put(it, into)),
            _ => into.push(match values(context) {
                Some(values) => Self {
                    at: at.to_string(),
                    fault: Fault::Other(format!("value is not one of {}", values.join(", "))),
                },
                None => Self::of(error),
            }),
        }
    }

    fn of(error: &ValidationError<'_>) -> Self {
        if let ValidationErrorKind::PropertyNames { error: of_name } = error.kind()
            && let Some(key) = of_name.instance().as_str()
        {
            let key = key.replace('~', "~0").replace('/', "~1");
            return Self {
                at: format!("{}/{key}", error.instance_path()),
                fault: Fault::Other(format!("this key does not fit: {}", of_name.masked())),
            };
        }
        Self {
            at: error.instance_path().to_string(),
            fault: match error.kind() {
                ValidationErrorKind::AdditionalProperties { unexpected } => Fault::Unknown {
                    keys: unexpected.clone(),
                    schema: error.schema_path().to_string(),
                },
                ValidationErrorKind::Required { property } => match property.as_str() {
                    Some(key) => Fault::Missing(key.to_owned()),
                    None => Fault::Other(error.masked().to_string()),
                },
                ValidationErrorKind::Type { .. } => {
                    let found = type_of(error.instance());
                    Fault::Other(format!("{}, and is {found}", error.masked()))
                }
                _ => Fault::Other(error.masked().to_string()),
            },
        }
    }
}

/// What a value is, in the words of schemas.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Compiles a schema. Simple patterns take a time that grows with the string and no faster; the others,
/// which may look around, may only be used on short strings.
fn compile(schema: &Value, graph: &Graph) -> Result<(Validator, u64), SchemaError> {
    let mut compiled = None;
    for (size, per_byte) in SIMPLE_PATTERNS {
        let simple = PatternOptions::regex()
            .size_limit(size)
            .dfa_size_limit(1 << 20);
        let built = jsonschema::options()
            .with_pattern_options(simple)
            .build(schema);
        match built {
            Err(_) if graph.patterns() > 0 => {}
            built => {
                compiled = Some(built.map(|validator| (validator, per_byte)));
                break;
            }
        }
    }
    let compiled = match compiled {
        Some(compiled) => compiled,
        None => {
            let any = PatternOptions::fancy_regex()
                .backtrack_limit(MOST_RETRIES)
                .size_limit(LARGEST_PATTERN)
                .dfa_size_limit(1 << 20);
            let built = jsonschema::options()
                .with_pattern_options(any)
                .build(schema);
            built.map(|validator| (validator, PER_BYTE_AROUND))
        }
    };
    compiled.map_err(|e| SchemaError::NotASchema(e.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_values_that_would_fit_are_named() {
        let text =
            r#"{"oneOf":[{"type":"string","const":"on"},{"type":"string","enum":["off","ask"]}]}"#;
        let schema = Schema::parse(text).unwrap();
        for value in [json!("onn"), json!(3)] {
            let why = Fault::Other("value is not one of \"on\", \"off\", \"ask\"".into());
            let wrong = Wrong {
                at: String::new(),
                fault: why,
            };
            assert_eq!(schema.check(&value, 9), Err(Misfit::Wrong(vec![wrong])));
        }
    }

    #[test]
    fn a_wrong_type_is_told_and_the_value_is_not() {
        let schema = Schema::parse(r#"{"type":"integer"}"#).unwrap();
        for (value, found) in [
            (json!("hunter2"), "a string"),
            (json!(1.5), "a number"),
            (json!([]), "an array"),
            (json!(null), "null"),
        ] {
            let why = format!("value is not of type \"integer\", and is {found}");
            let wrong = Wrong {
                at: String::new(),
                fault: Fault::Other(why),
            };
            assert_eq!(schema.check(&value, 9), Err(Misfit::Wrong(vec![wrong])));
        }
    }
}
