//! JSON schemas from untrusted sources, such as a hook or an MCP server. The work of compiling a
//! schema and of checking with it is bounded before either begins.
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
//! This is a separate crate so that the validator is compiled once. A crate that is optimised for
//! speed, as `portcullis` is, compiles the generic code of its dependencies again.

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
/// The regular expressions that match strings of any length: the bytes of their programs, and the
/// work counted for each byte matched.
const SIMPLE_PATTERNS: [(usize, u64); 2] = [(4 << 10, 1), (32 << 10, 32)];
/// The largest regular expression of all.
const LARGEST_PATTERN: usize = 256 << 10;
/// The work counted for each byte matched by a pattern with lookaround. The strings of a check have
/// some 3,900 bytes at most, together.
const PER_BYTE_AROUND: u64 = 256;
/// The most retries of a pattern with lookaround, for one string.
const MOST_RETRIES: usize = 4_000;
/// The most work for which a check runs a second time to collect the errors. Errors are collected
/// for every branch, which takes memory.
const MOST_TO_EXPLAIN: u64 = 50_000;

/// A schema, ready for checks.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    graph: Graph,
    /// The work of matching one byte.
    per_byte: u64,
}

/// The reason why a text is not a usable schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaError {
    /// The text is not JSON, with the reason.
    NotJson(String),
    /// The JSON is not a schema, with the reason.
    NotASchema(String),
    /// The schema is too large; the text names the limit.
    TooComplex(String),
}

/// The reason why a value does not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// Checking it would take too much work.
    TooMuchWork,
    /// The value does not fit, and finding the reason would take too much work.
    Unexplained,
    /// The faults in the value, at least one.
    Wrong(Vec<Wrong>),
}

/// A fault of a value. It never quotes the value; for a wrong type, it names the value's own type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The place in the value, as a JSON pointer.
    pub at: String,
    /// The fault.
    pub fault: Fault,
}

/// A fault in a value.
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

/// Reads the text of a schema. Only its size and depth are checked.
///
/// # Errors
///
/// The text is not JSON, or too long.
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
    /// The errors of [`read`] and [`Self::of`].
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        Self::of(&read(text)?)
    }

    /// Compiles a schema that [`read`] returned.
    ///
    /// # Errors
    ///
    /// The value is not a schema, or compiling it or checking with it would take too much.
    pub fn of(schema: &Value) -> Result<Self, SchemaError> {
        let graph = Graph::read(schema).map_err(SchemaError::TooComplex)?;
        let (validator, per_byte) = compile(schema, &graph)?;
        Ok(Self {
            validator,
            graph,
            per_byte,
        })
    }

    /// Returns the numbers of the subschemas and of the regular expressions.
    pub fn parts(&self) -> (usize, usize) {
        (self.graph.len(), self.graph.patterns())
    }

    /// Checks a value. An error contains at most `most` faults.
    ///
    /// # Errors
    ///
    /// The value does not fit, or finding out would take too much work.
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

/// Returns whether an alternative accepts only `null`.
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

/// The most fitting values that an error names.
const MOST_VALUES: usize = 20;

/// Returns the values that alternatives accept, if each accepts a fixed set of values and there are few.
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
    /// Adds an error's faults. Of alternatives, such as `anyOf` with `null` for an optional value,
    /// the branch for the value's type is used.
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

/// Returns a value's type in words, such as `a string`.
pub fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Compiles a schema. Simple patterns take linear time; the others, which may have lookaround, may only
/// be used on short strings.
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
