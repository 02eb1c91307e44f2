//! The tools that a model is offered, with the schemas for their arguments.

mod arguments;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::contract::ToolSpec;
use crate::model::points::InvalidValue;
pub use arguments::ToolArguments;
use portcullis_schema::{Misfit, Schema, SchemaError};

/// The most subschemas of the tools that are added in one call, in total.
const MOST_SUBSCHEMAS: usize = 200_000;
/// The most regular expressions of those tools, in total.
const MOST_PATTERNS: usize = 1_000;

/// The tools that a model is offered, in order.
#[derive(Debug, Clone, Default)]
pub struct ToolCatalog {
    tools: Vec<Arc<Tool>>,
    /// The position of each tool, by its name.
    places: HashMap<Arc<str>, usize>,
}

#[derive(Debug)]
struct Tool {
    spec: ToolSpec,
    schema: Arc<Schema>,
    /// The tool that runs in place of this one, if there is one.
    target: Option<Arc<Tool>>,
}

/// An error for a tool that cannot be offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The schema is not JSON.
    #[error("the schema of tool `{tool}` is not JSON: {cause}; give the text of a JSON schema")]
    NotJson {
        /// The tool.
        tool: String,
        /// The parser's message.
        cause: String,
    },
    /// The schema is not a JSON schema.
    #[error("the schema of tool `{tool}` is not a JSON schema: {cause}")]
    NotASchema {
        /// The tool.
        tool: String,
        /// The validator's message.
        cause: String,
    },
    /// A check with the schema could take too long.
    #[error("the schema of tool `{tool}` cannot be used: {cause}")]
    TooComplex {
        /// The tool.
        tool: String,
        /// The reason that the schema is too complex.
        cause: String,
    },
    /// Two tools have the same name.
    #[error("two tools are called `{tool}`; a model calls tools by name, so rename one")]
    Twice {
        /// The name.
        tool: String,
    },
}

impl ToolCatalog {
    /// Creates a catalogue of these tools.
    ///
    /// # Errors
    ///
    /// A schema is invalid, or a name occurs twice.
    pub fn new(specs: impl IntoIterator<Item = ToolSpec>) -> Result<Self, CatalogError> {
        let mut catalog = Self::default();
        catalog.put(specs)?;
        Ok(catalog)
    }

    /// Returns this catalogue with more tools after its own.
    ///
    /// # Errors
    ///
    /// As [`ToolCatalog::new`].
    pub fn with(&self, specs: impl IntoIterator<Item = ToolSpec>) -> Result<Self, CatalogError> {
        let mut catalog = self.clone();
        catalog.put(specs)?;
        Ok(catalog)
    }

    fn put(&mut self, specs: impl IntoIterator<Item = ToolSpec>) -> Result<(), CatalogError> {
        let (mut subschemas, mut patterns) = (0, 0);
        for spec in specs {
            if self.find(&spec.name).is_some() {
                return Err(CatalogError::Twice { tool: spec.name });
            }
            let schema = Schema::parse(&spec.schema).map_err(|e| unusable(&spec.name, e))?;
            let (more_subschemas, more_patterns) = schema.parts();
            subschemas += more_subschemas;
            patterns += more_patterns;
            if subschemas > MOST_SUBSCHEMAS || patterns > MOST_PATTERNS {
                let cause = format!(
                    "the tools up to this one have {subschemas} subschemas and {patterns} regular \
                     expressions, and the limits are {MOST_SUBSCHEMAS} and {MOST_PATTERNS}"
                );
                return Err(unusable(&spec.name, SchemaError::TooComplex(cause)));
            }
            self.push(Arc::new(Tool {
                spec,
                schema: Arc::new(schema),
                target: None,
            }));
        }
        Ok(())
    }

    fn push(&mut self, tool: Arc<Tool>) {
        let name = tool.spec.name.as_str().into();
        self.places.insert(name, self.tools.len());
        self.tools.push(tool);
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Returns the tools' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.spec.name.as_str())
    }

    /// Returns the specs, in order.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| &tool.spec)
    }

    /// Returns the tool with this name.
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.find(name).map(|tool| &tool.spec)
    }

    fn find(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(*self.places.get(name)?)
    }

    /// Returns a catalogue of these tools alone.
    ///
    /// # Errors
    ///
    /// A name is not in this catalogue, or occurs twice.
    pub fn only(&self, names: &[String]) -> Result<Self, InvalidValue> {
        // This check comes first: a hook may give a hundred thousand names.
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(InvalidValue(format!("tool `{name}` is named twice")));
        }
        let mut only = Self::default();
        for name in names {
            let tool = self.find(name).cloned();
            only.push(tool.ok_or_else(|| {
                InvalidValue(format!("tool `{name}` is not among those offered"))
            })?);
        }
        Ok(only)
    }

    /// Returns a catalogue of the tools to keep, in the same order.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&str) -> bool) -> Self {
        let mut kept = Self::default();
        for tool in &self.tools {
            if keep(&tool.spec.name) {
                kept.push(tool.clone());
            }
        }
        kept
    }

    /// Makes one of these tools run another tool. The arguments must then fit the schemas of both.
    ///
    /// A tool that is not in this catalogue, or a target that is not in `own`, changes nothing.
    pub fn run_as(&mut self, tool: &str, own: &Self, target: &str) {
        let place = self.places.get(tool).copied();
        let found = place.and_then(|place| self.tools.get_mut(place));
        if let (Some(tool), Some(target)) = (found, own.find(target)) {
            *tool = Arc::new(Tool {
                spec: tool.spec.clone(),
                schema: tool.schema.clone(),
                target: Some(target.clone()),
            });
        }
    }

    /// Checks arguments for a tool, and for the tool that runs in its place. For a tool that is not
    /// in the catalogue, they need only be a JSON object.
    ///
    /// # Errors
    ///
    /// The text says why the arguments are invalid, without quoting them.
    pub fn arguments(
        &self,
        tool: &str,
        text: impl Into<Arc<str>>,
    ) -> Result<ToolArguments, InvalidValue> {
        let text = text.into();
        let value: serde_json::Value = serde_json::from_str(&text)
            .map_err(|e| InvalidValue(format!("the arguments for `{tool}` are not JSON: {e}")))?;
        if !value.is_object() {
            return Err(InvalidValue(format!(
                "the arguments for `{tool}` are not a JSON object"
            )));
        }
        let mut next = self.find(tool);
        while let Some(tool) = next {
            let checked = tool.schema.check(&value, 1);
            checked.map_err(|misfit| unfit(&tool.spec.name, misfit))?;
            next = tool.target.as_ref();
        }
        Ok(ToolArguments { text, value })
    }
}

fn unusable(tool: &str, error: SchemaError) -> CatalogError {
    let tool = tool.to_owned();
    match error {
        SchemaError::NotJson(cause) => CatalogError::NotJson { tool, cause },
        SchemaError::NotASchema(cause) => CatalogError::NotASchema { tool, cause },
        SchemaError::TooComplex(cause) => CatalogError::TooComplex { tool, cause },
    }
}

/// Returns the error for arguments that do not fit a tool.
fn unfit(tool: &str, misfit: Misfit) -> InvalidValue {
    let wrong = match misfit {
        Misfit::TooMuchWork => {
            return InvalidValue(format!(
                "the arguments for `{tool}` take too much work to check against its schema; pass \
                 fewer, shorter or less nested values"
            ));
        }
        Misfit::Unexplained => None,
        Misfit::Wrong(wrong) => wrong.into_iter().next(),
    };
    InvalidValue(match wrong {
        None => format!("the arguments for `{tool}` break its schema"),
        // The arguments as a whole.
        Some(wrong) if wrong.at.is_empty() => {
            format!(
                "the arguments for `{tool}` break its schema: {}",
                wrong.fault
            )
        }
        Some(wrong) => format!(
            "the arguments for `{tool}` break its schema at `{}`: {}",
            wrong.at, wrong.fault
        ),
    })
}
