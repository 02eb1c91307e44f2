//! How many core instances, memories and tables a component is made of.
//!
//! wasmtime counts them too, but says in words alone that they are too many. Here they are counted
//! before anything is started, so that the cause is known.

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind,
    ComponentTypeRef, Instance, Parser, Payload,
};
use wasmtime::component::Component;

/// What a component is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResourceCounts {
    instances: usize,
    memories: usize,
    tables: usize,
}

impl ResourceCounts {
    pub(crate) fn of(component: &Component, bytes: &[u8]) -> Self {
        let required = component.resources_required();
        Self {
            instances: core_instances(bytes),
            memories: required.as_ref().map_or(0, |r| r.num_memories as usize),
            tables: required.as_ref().map_or(0, |r| r.num_tables as usize),
        }
    }

    /// The most there are of any sort.
    pub(crate) fn most(self) -> usize {
        self.instances.max(self.memories).max(self.tables)
    }
}

/// A module or component that is being read.
enum Frame {
    Module,
    Component(Counted),
}

/// A component that is being read.
#[derive(Default)]
struct Counted {
    /// The core instances of one instance of it.
    instances: usize,
    /// Those of the components that it can instantiate, by index.
    components: Vec<usize>,
}

/// Counts the core instances that starting a component makes. The bytes are valid: they were
/// compiled before. A component that comes out of an instance counts nothing here; wasmtime's own
/// limit still holds for it.
fn core_instances(bytes: &[u8]) -> usize {
    let mut root = Counted::default();
    let mut within: Vec<Frame> = Vec::new();
    for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
        match payload {
            Payload::ModuleSection { .. } => within.push(Frame::Module),
            Payload::ComponentSection { .. } => within.push(Frame::Component(Counted::default())),
            Payload::End(_) => {
                if let Some(Frame::Component(done)) = within.pop() {
                    let outer = within.last_mut().map_or(Some(&mut root), Frame::component);
                    if let Some(outer) = outer {
                        outer.components.push(done.instances);
                    }
                }
            }
            Payload::ComponentAliasSection(aliases) => {
                for alias in aliases.into_iter().map_while(Result::ok) {
                    let known = aliased(&alias, &root, &within);
                    let here = within.last_mut().map_or(Some(&mut root), Frame::component);
                    if let (Some(here), Some(known)) = (here, known) {
                        here.components.push(known);
                    }
                }
            }
            payload => {
                if let Some(here) = within.last_mut().map_or(Some(&mut root), Frame::component) {
                    here.read(payload);
                }
            }
        }
    }
    root.instances
}

/// What an alias of a component counts; nothing if it is one of something else.
fn aliased(alias: &ComponentAlias<'_>, root: &Counted, within: &[Frame]) -> Option<usize> {
    match alias {
        ComponentAlias::Outer {
            kind: ComponentOuterAliasKind::Component,
            count,
            index,
        } => {
            let outer = match within.len().checked_sub(*count as usize) {
                Some(0) => Some(root),
                Some(depth) => match within.get(depth - 1) {
                    Some(Frame::Component(outer)) => Some(outer),
                    _ => None,
                },
                None => None,
            };
            Some(outer.map_or(0, |outer| outer.component(*index)))
        }
        ComponentAlias::InstanceExport {
            kind: ComponentExternalKind::Component,
            ..
        } => Some(0),
        _ => None,
    }
}

impl Frame {
    fn component(&mut self) -> Option<&mut Counted> {
        match self {
            Self::Component(component) => Some(component),
            Self::Module => None,
        }
    }
}

impl Counted {
    fn component(&self, index: u32) -> usize {
        self.components.get(index as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, instances: usize) {
        self.instances = self.instances.saturating_add(instances);
    }

    fn read(&mut self, payload: Payload<'_>) {
        match payload {
            Payload::InstanceSection(made) => {
                for made in made.into_iter().map_while(Result::ok) {
                    if let Instance::Instantiate { .. } = made {
                        self.add(1);
                    }
                }
            }
            Payload::ComponentInstanceSection(made) => {
                for made in made.into_iter().map_while(Result::ok) {
                    if let ComponentInstance::Instantiate {
                        component_index, ..
                    } = made
                    {
                        self.add(self.component(component_index));
                    }
                }
            }
            Payload::ComponentImportSection(imports) => {
                for import in imports.into_iter().map_while(Result::ok) {
                    if let ComponentTypeRef::Component(_) = import.ty {
                        self.components.push(0);
                    }
                }
            }
            Payload::ComponentExportSection(exports) => {
                for export in exports.into_iter().map_while(Result::ok) {
                    if export.kind == ComponentExternalKind::Component {
                        self.components.push(self.component(export.index));
                    }
                }
            }
            _ => {}
        }
    }
}
