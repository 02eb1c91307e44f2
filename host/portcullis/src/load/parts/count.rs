//! Counts definitions and instances, with each component counted as often as it is instantiated.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentInstanceSectionReader,
    ComponentOuterAliasKind, ComponentTypeRef, Instance, Parser, Payload,
};

use super::{MOST_DEFINITIONS, MOST_NESTING, TooComplex, types};

/// The number of parts in one instance of a component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Counted {
    /// The core instances.
    pub(in super::super) instances: usize,
    /// The definitions of any sort.
    definitions: usize,
    /// Whether any module in the bytes contains data.
    pub(in super::super) has_data: bool,
}

impl Counted {
    fn define(&mut self, definitions: usize) -> Result<(), TooComplex> {
        self.definitions = self.definitions.saturating_add(definitions);
        match self.definitions > MOST_DEFINITIONS {
            true => Err(TooComplex::Definitions),
            false => Ok(()),
        }
    }

    fn add(&mut self, other: Self) -> Result<(), TooComplex> {
        self.instances = self.instances.saturating_add(other.instances);
        self.define(other.definitions)
    }
}

/// A module or component that is being read.
enum Frame {
    Module,
    Component(Body),
}

/// A component that is being read.
#[derive(Default)]
struct Body {
    own: Counted,
    /// The components that this one can instantiate, by index.
    components: Vec<Counted>,
}

/// Counts the parts of a component, up to the first invalid part.
pub(super) fn count(bytes: &[u8]) -> Result<Counted, TooComplex> {
    let mut within = vec![Frame::Component(Body::default())];
    let mut has_data = false;
    for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
        match payload {
            Payload::ModuleSection { .. } => within.push(Frame::Module),
            Payload::ComponentSection { .. } => {
                within.push(Frame::Component(Body::default()));
                if within.len() > MOST_NESTING {
                    return Err(TooComplex::Nesting);
                }
            }
            Payload::DataSection(_) => has_data = true,
            Payload::End(_) if within.len() > 1 => {
                let done = within.pop();
                let outer = within.last_mut().and_then(Frame::component);
                if let (Some(Frame::Component(done)), Some(outer)) = (done, outer) {
                    outer.own.define(1)?;
                    outer.components.push(done.own);
                }
            }
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases.into_iter().map_while(Result::ok) {
                    let aliased = aliased(&alias, &within)?;
                    if let Some(here) = within.last_mut().and_then(Frame::component) {
                        here.own.define(1)?;
                        here.components.extend(aliased);
                    }
                }
            }
            Payload::ComponentTypeSection(section) => {
                let section = bytes.get(section.range()).unwrap_or_default();
                let definitions = types::count(section)?;
                if let Some(here) = within.last_mut().and_then(Frame::component) {
                    here.own.define(definitions)?;
                }
            }
            payload => {
                if let Some(here) = within.last_mut().and_then(Frame::component) {
                    here.read(payload)?;
                }
            }
        }
    }
    match within.into_iter().next() {
        Some(Frame::Component(root)) => Ok(Counted {
            has_data,
            ..root.own
        }),
        _ => Ok(Counted::default()),
    }
}

/// Returns the component that an alias refers to, if it refers to one.
fn aliased(alias: &ComponentAlias<'_>, within: &[Frame]) -> Result<Option<Counted>, TooComplex> {
    match alias {
        ComponentAlias::Outer {
            kind: ComponentOuterAliasKind::Component,
            count,
            index,
        } => {
            let depth = within.len().checked_sub(1 + *count as usize);
            let outer = match depth.and_then(|depth| within.get(depth)) {
                Some(Frame::Component(outer)) => outer.component(*index),
                _ => Counted::default(),
            };
            Ok(Some(outer))
        }
        ComponentAlias::InstanceExport {
            kind: ComponentExternalKind::Component,
            ..
        } => Err(TooComplex::ComponentsAsValues),
        _ => Ok(None),
    }
}

impl Frame {
    fn component(&mut self) -> Option<&mut Body> {
        match self {
            Self::Component(component) => Some(component),
            Self::Module => None,
        }
    }
}

impl Body {
    /// Returns a component by its index. A missing component counts as empty, since it is invalid.
    fn component(&self, index: u32) -> Counted {
        let found = self.components.get(index as usize);
        found.copied().unwrap_or_default()
    }

    fn read(&mut self, payload: Payload<'_>) -> Result<(), TooComplex> {
        match payload {
            Payload::InstanceSection(made) => {
                for made in made.into_iter().map_while(Result::ok) {
                    let parts = match made {
                        Instance::Instantiate { args, .. } => {
                            self.own.instances = self.own.instances.saturating_add(1);
                            args.len()
                        }
                        Instance::FromExports(exports) => exports.len(),
                    };
                    self.own.define(1 + parts)?;
                }
            }
            Payload::ComponentInstanceSection(made) => self.instances(made)?,
            Payload::ComponentImportSection(imports) => {
                for import in imports.into_iter().map_while(Result::ok) {
                    if let ComponentTypeRef::Component(_) = import.ty {
                        return Err(TooComplex::ComponentsAsValues);
                    }
                    self.own.define(1)?;
                }
            }
            Payload::ComponentExportSection(exports) => {
                for export in exports.into_iter().map_while(Result::ok) {
                    if export.kind == ComponentExternalKind::Component {
                        return Err(TooComplex::ComponentsAsValues);
                    }
                    self.own.define(1)?;
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                self.own.define(section.count() as usize)?;
            }
            Payload::CoreTypeSection(section) => self.own.define(section.count() as usize)?,
            _ => {}
        }
        Ok(())
    }

    fn instances(&mut self, made: ComponentInstanceSectionReader<'_>) -> Result<(), TooComplex> {
        for made in made.into_iter().map_while(Result::ok) {
            let parts = match made {
                ComponentInstance::Instantiate {
                    component_index,
                    args,
                } => {
                    let mut kinds = args.iter().map(|arg| arg.kind);
                    if kinds.any(|kind| kind == ComponentExternalKind::Component) {
                        return Err(TooComplex::ComponentsAsValues);
                    }
                    self.own.add(self.component(component_index))?;
                    args.len()
                }
                ComponentInstance::FromExports(exports) => {
                    let mut kinds = exports.iter().map(|export| export.kind);
                    if kinds.any(|kind| kind == ComponentExternalKind::Component) {
                        return Err(TooComplex::ComponentsAsValues);
                    }
                    exports.len()
                }
            };
            self.own.define(1 + parts)?;
        }
        Ok(())
    }
}
