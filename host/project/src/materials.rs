//! The materials of a component besides its own sources: the SDK, the parts that the language's
//! tools put into it, and the tools.

use std::collections::BTreeSet;

use wasm_metadata::Payload;

use crate::error::read;
use crate::languages::SdkPackage;
use crate::{FileError, Project};

/// A component's ingredient or a tool that made it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Its version; `None` if that is not known.
    pub version: Option<String>,
    /// The registry of the material, by its package URL type, such as `pypi`. `None` if it is from no registry.
    pub registry: Option<&'static str>,
    /// Whether the material is in the running component.
    pub part: Part,
}

/// Whether a material is in the component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The material is in the component.
    Contained,
    /// The material is in the component if the hook uses it.
    Optional,
    /// The material made the component, and is not in it.
    Tool,
}

impl Material {
    pub(crate) fn new(name: &str, version: Option<&str>, part: Part) -> Self {
        Self {
            name: name.to_owned(),
            version: version.map(str::to_owned),
            registry: None,
            part,
        }
    }

    pub(crate) fn from(mut self, registry: &'static str) -> Self {
        self.registry = Some(registry);
        self
    }
}

impl Project {
    /// Returns the materials of a component of this project, as far as the project and the
    /// component name them: the SDK, the parts that the tools put into it, and the tools whose
    /// names the component contains. The packages of a lock file are not included.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn materials(&self, component: &[u8]) -> Result<BTreeSet<Material>, FileError> {
        let toolchain = self.language().toolchain();
        let mut materials = BTreeSet::from_iter(toolchain.materials(self, component));
        if !self.has_package() && !toolchain.locks_sdk() {
            materials.insert(self.sdk_material()?);
        }
        materials.extend(producers(component));
        Ok(materials)
    }

    /// Returns the SDK in the project's directory, or in that of a checkout. It has a version if it
    /// is that of this command.
    fn sdk_material(&self) -> Result<Material, FileError> {
        let toolchain = self.language().toolchain();
        let mut is_own = true;
        for (path, bytes) in toolchain.sdk() {
            let file = self.sdk_dir().join(path);
            is_own &= file.is_file() && read(&file)? == bytes;
        }
        let name = match toolchain.package() {
            Some(package) => package.name.to_owned(),
            None => format!("portcullis-sdk-{}", self.language()),
        };
        let version = is_own.then_some(SdkPackage::VERSION);
        Ok(Material::new(&name, version, Part::Contained))
    }
}

/// Returns the compilers and other tools that a component and the modules in it name.
fn producers(component: &[u8]) -> BTreeSet<Material> {
    let mut found = BTreeSet::new();
    let mut left: Vec<Payload> = Payload::from_binary(component).into_iter().collect();
    while let Some(payload) = left.pop() {
        let named = payload.metadata().producers.as_ref();
        for (field, tools) in named.into_iter().flat_map(|named| named.iter()) {
            if field != "processed-by" {
                continue;
            }
            let tools = tools.iter();
            found.extend(tools.map(|(name, version)| {
                // A commit may follow.
                let version = version.split_ascii_whitespace().next();
                Material::new(name, version, Part::Tool)
            }));
        }
        if let Payload::Component { children, .. } = payload {
            left.extend(children);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{Component, Module, ModuleSection, ProducersField, ProducersSection};

    use super::*;

    #[test]
    fn the_tools_that_a_module_names_are_found() {
        let mut field = ProducersField::new();
        field.value("rustc", "1.96.0 (ac68faa20 2026-05-25)");
        let mut language = ProducersField::new();
        language.value("Rust", "");
        let mut section = ProducersSection::new();
        section
            .field("language", &language)
            .field("processed-by", &field);
        let mut module = Module::new();
        module.section(&section);
        let mut component = Component::new();
        component.section(&ModuleSection(&module));
        let found = producers(&component.finish());
        let rustc = Material::new("rustc", Some("1.96.0"), Part::Tool);
        assert_eq!(found, BTreeSet::from([rustc]));
        assert!(producers(b"no component").is_empty());
    }
}
