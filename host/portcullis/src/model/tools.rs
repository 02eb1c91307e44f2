//! The tools that a model is offered, with the schemas their arguments are checked against.

mod arguments;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::contract::ToolSpec;
use crate::model::points::InvalidValue;
pub use arguments::ToolArguments;
use portcullis_schema::{Misfit, Schema, SchemaError};

/// How many subschemas the tools that are put in at once may have together.
const MOST_SUBSCHEMAS: usize = 200_000;
/// How many regular expressions.
const MOST_PATTERNS: usize = 1_000;

/// The tools that a model is offered, in order.
#[derive(Debug, Clone, Default)]
pub struct ToolCatalog {
    tools: Vec<Arc<Tool>>,
    /// Where each stands, by its name.
    places: HashMap<Arc<str>, usize>,
}

#[derive(Debug)]
struct Tool {
    spec: ToolSpec,
    schema: Arc<Schema>,
    /// The tool that it runs as, if that is another one.
    target: Option<Arc<Tool>>,
}

/// A tool that cannot be offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The schema is not JSON.
    #[error("the schema of tool `{tool}` is not JSON: {cause}; give the text of a JSON schema")]
    NotJson {
        /// The tool.
        tool: String,
        /// What the parser says.
        cause: String,
    },
    /// The schema is no JSON schema.
    #[error("the schema of tool `{tool}` is not a JSON schema: {cause}")]
    NotASchema {
        /// The tool.
        tool: String,
        /// What the validator says.
        cause: String,
    },
    /// The schema could take too long to check with.
    #[error("the schema of tool `{tool}` cannot be used: {cause}")]
    TooComplex {
        /// The tool.
        tool: String,
        /// What there is too much of.
        cause: String,
    },
    /// Two tools have one name.
    #[error("two tools are called `{tool}`; a model calls tools by name, so rename one")]
    Twice {
        /// The name.
        tool: String,
    },
}

impl ToolCatalog {
    /// A catalogue of these tools.
    ///
    /// # Errors
    ///
    /// A schema that is none, or a name that comes twice.
    pub fn new(specs: impl IntoIterator<Item = ToolSpec>) -> Result<Self, CatalogError> {
        let mut catalog = Self::default();
        catalog.put(specs)?;
        Ok(catalog)
    }

    /// This catalogue with more tools behind its own.
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.spec.name.as_str())
    }

    /// The specs, in order.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| &tool.spec)
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.find(name).map(|tool| &tool.spec)
    }

    fn find(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(*self.places.get(name)?)
    }

    /// The catalogue of these tools alone.
    ///
    /// # Errors
    ///
    /// A name that is not in this one, or that comes twice.
    pub fn only(&self, names: &[String]) -> Result<Self, InvalidValue> {
        // Before anything else: a hook may give a hundred thousand names.
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

    /// The catalogue of the tools to keep, in the same order.
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

    /// Makes one of these tools run another tool. Its arguments must then fit the schemas of both.
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

    /// Checks arguments for a tool, and for the tool that it runs as. Of a tool that is not in the
    /// catalogue they need only be a JSON object.
    ///
    /// # Errors
    ///
    /// Says what is wrong with them, without quoting them.
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

/// Why arguments are not passed to a tool.
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
