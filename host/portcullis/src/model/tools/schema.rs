//! A tool's schema. It may be a stranger's (a hook's, an MCP server's), so what compiling it and
//! checking with it can take is bounded before either begins.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::graph::Graph;
use super::work::{self, TooMuchWork};
use crate::model::points::InvalidValue;

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
pub(super) struct Schema {
    validator: Validator,
    graph: Graph,
    /// What matching one byte takes.
    per_byte: u64,
}

/// Why a text is no schema that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SchemaError {
    NotJson(String),
    NotASchema(String),
    TooComplex(String),
}

impl Schema {
    pub(super) fn parse(text: &str) -> Result<Self, SchemaError> {
        if text.len() > MOST_BYTES {
            let bytes = text.len();
            return Err(SchemaError::TooComplex(format!(
                "it has {bytes} bytes, and {MOST_BYTES} are the most"
            )));
        }
        // The parser reads no deeper than 128 levels.
        let schema: Value =
            serde_json::from_str(text).map_err(|e| SchemaError::NotJson(e.to_string()))?;
        let graph = Graph::read(&schema).map_err(SchemaError::TooComplex)?;
        let (validator, per_byte) = compile(&schema, &graph)?;
        Ok(Self {
            validator,
            graph,
            per_byte,
        })
    }

    /// How many subschemas and regular expressions it has.
    pub(super) fn parts(&self) -> (usize, usize) {
        (self.graph.len(), self.graph.patterns())
    }

    /// Checks arguments.
    pub(super) fn check(&self, tool: &str, arguments: &Value) -> Result<(), InvalidValue> {
        let work = work::of(&self.graph, arguments, self.per_byte).map_err(|TooMuchWork| {
            InvalidValue(format!(
                "the arguments for `{tool}` take too much work to check against its schema; pass \
                 fewer, shorter or less nested values"
            ))
        })?;
        if self.validator.is_valid(arguments) {
            return Ok(());
        }
        if work > MOST_TO_EXPLAIN {
            return Err(InvalidValue(format!(
                "the arguments for `{tool}` break its schema"
            )));
        }
        self.validator.validate(arguments).map_err(|e| {
            InvalidValue(format!(
                "the arguments for `{tool}` break its schema at `{}`: {}",
                e.instance_path(),
                e.masked()
            ))
        })
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
