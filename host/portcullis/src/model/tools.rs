//! The tools that a model is offered, with the schemas their arguments are checked against.

use std::collections::HashSet;
use std::sync::Arc;

use crate::contract::ToolSpec;
use crate::model::points::InvalidValue;

/// The tools that a model is offered, in order.
#[derive(Debug, Clone, Default)]
pub struct ToolCatalog {
    tools: Vec<Arc<Tool>>,
}

#[derive(Debug)]
struct Tool {
    spec: ToolSpec,
    validator: jsonschema::Validator,
}

/// A tool that cannot be offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
        for spec in specs {
            if catalog.get(&spec.name).is_some() {
                return Err(CatalogError::Twice { tool: spec.name });
            }
            let schema: serde_json::Value =
                serde_json::from_str(&spec.schema).map_err(|e| CatalogError::NotJson {
                    tool: spec.name.clone(),
                    cause: e.to_string(),
                })?;
            let validator =
                jsonschema::validator_for(&schema).map_err(|e| CatalogError::NotASchema {
                    tool: spec.name.clone(),
                    cause: e.to_string(),
                })?;
            catalog.tools.push(Arc::new(Tool { spec, validator }));
        }
        Ok(catalog)
    }

    /// This catalogue with more tools behind its own.
    ///
    /// # Errors
    ///
    /// As [`ToolCatalog::new`].
    pub fn with(&self, specs: impl IntoIterator<Item = ToolSpec>) -> Result<Self, CatalogError> {
        let more = Self::new(specs)?;
        if let Some(tool) = more.names().find(|name| self.get(name).is_some()) {
            let tool = tool.to_owned();
            return Err(CatalogError::Twice { tool });
        }
        let tools = self.tools.iter().chain(&more.tools).cloned().collect();
        Ok(Self { tools })
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
        self.tools.iter().find(|tool| tool.spec.name == name)
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
        let tools = names
            .iter()
            .map(|name| {
                self.find(name).cloned().ok_or_else(|| {
                    InvalidValue(format!("tool `{name}` is not among those offered"))
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { tools })
    }

    /// Checks arguments against a tool's schema. Of a tool that is not in the catalogue they need
    /// only be a JSON object.
    ///
    /// # Errors
    ///
    /// Says what is wrong with them, without quoting them.
    pub fn check(&self, tool: &str, arguments: &str) -> Result<(), InvalidValue> {
        let value: serde_json::Value = serde_json::from_str(arguments)
            .map_err(|e| InvalidValue(format!("the arguments for `{tool}` are not JSON: {e}")))?;
        if !value.is_object() {
            return Err(InvalidValue(format!(
                "the arguments for `{tool}` are not a JSON object"
            )));
        }
        match self.find(tool).map(|tool| tool.validator.validate(&value)) {
            Some(Err(e)) => Err(InvalidValue(format!(
                "the arguments for `{tool}` break its schema at `{}`: {}",
                e.instance_path(),
                e.masked()
            ))),
            Some(Ok(())) | None => Ok(()),
        }
    }
}
