//! Reads a component's points and imports without running it.

use semver::Version;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use super::parts::Counted;
use super::{LoadFault, version};
use crate::contract;
use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::model::points::{AnswerKind, PointId};
use crate::sandbox::capabilities::{CAPABILITIES, Capability, Grants, Permission};
use crate::sandbox::info::{self, Answers, ComponentInfo, Import, ServedPoint};
use crate::sandbox::lines::SourceLines;
use crate::sandbox::resource_counts::ResourceCounts;

/// The package that hooks are written against.
const PACKAGE: &str = "portcullis:hooks";
const DESCRIBE: &str = "describe";
const CONFIGURATION: &str = "configuration";

/// Reads a component's exports and imports.
pub(super) fn inspect(
    component: &Component,
    counted: Counted,
    lines: SourceLines,
) -> Result<ComponentInfo, LoadFault> {
    let engine = component.engine();
    let ty = component.component_type();
    let mut served = Vec::new();
    let (mut describe, mut config_schema) = (None, None);
    let mut contract = Version::new(0, 0, 0);
    for (name, _) in ty.exports(engine) {
        // A language runtime may export more, such as `init`. Only names of our package are
        // checked.
        let Some((interface, version)) = ours(name)? else {
            continue;
        };
        contract = contract.max(version);
        let function = match interface {
            DESCRIBE => DESCRIBE,
            CONFIGURATION => "schema",
            _ => "handle",
        };
        let index = component
            .get_export_index(None, name)
            .and_then(|instance| component.get_export_index(Some(&instance), function))
            .ok_or_else(|| LoadFault::Signature {
                interface: name.to_owned(),
                cause: format!("it has no function `{function}`"),
            })?;
        match PointId::from_name(interface) {
            Some(point) if served.iter().any(|s: &ServedPoint| s.point == point) => {
                return Err(LoadFault::Signature {
                    interface: name.to_owned(),
                    cause: "it exports the point twice, in two versions".into(),
                });
            }
            Some(point) => served.push(ServedPoint {
                point,
                interface: name.to_owned(),
                handle: index,
            }),
            None if interface == CONFIGURATION => config_schema = Some(index),
            None => describe = Some(index),
        }
    }
    let functions = functions(engine, component);
    let imports = ty
        .imports(engine)
        .map(|(name, _)| import(name, &functions))
        .collect::<Result<Vec<_>, _>>()?;
    for import in &imports {
        if is_ours(&import.name) {
            contract = contract.max(version::of(&import.name)?);
        }
    }
    if served.is_empty() {
        return Err(LoadFault::NoPoint);
    }
    Ok(ComponentInfo {
        contract,
        points: served.iter().map(|served| served.point).collect(),
        served,
        describe: describe.ok_or(LoadFault::NoDescribe)?,
        config_schema,
        calling: info::calling(&imports),
        parts: ResourceCounts::of(component, counted.instances, counted.has_data),
        answers: answers(&functions, &imports),
        imports,
        lines,
    })
}

/// Returns the answers of a component, from the functions that it imports.
fn answers(functions: &[Function], imports: &[Import]) -> Answers {
    let mut answers = Answers::new();
    for (name, function) in functions {
        let import = imports.iter().find(|import| import.name == *name);
        if let Some(Permission::Answers(point)) = import.map(|it| it.capability.permission)
            && let Some(kind) = AnswerKind::from_name(function)
        {
            answers.entry(point).or_default().insert(kind);
        }
    }
    answers
}

/// The names of an interface and of a function in it.
type Function = (String, String);

/// Returns the functions that a component imports.
fn functions(engine: &Engine, component: &Component) -> Vec<Function> {
    let mut functions = Vec::new();
    for (name, import) in component.component_type().imports(engine) {
        if let ComponentItem::ComponentInstance(instance) = import.ty {
            for (function, item) in instance.exports(engine) {
                if let ComponentItem::ComponentFunc(_) = item.ty {
                    functions.push((name.to_owned(), function.to_owned()));
                }
            }
        }
    }
    functions
}

/// Returns the interface's short name and its version, if the name is of our package and known.
fn ours(name: &str) -> Result<Option<(&str, Version)>, LoadFault> {
    if !is_ours(name) {
        return match name.starts_with("portcullis:") {
            true => Err(unknown_export(name, "")),
            false => Ok(None),
        };
    }
    let version = version::of(name)?;
    let interface = short(name);
    let points = || PointId::ALL.iter().map(|p| p.name());
    let known = || points().chain([DESCRIBE, CONFIGURATION]);
    if known().any(|name| name == interface) {
        return Ok(Some((interface, version)));
    }
    let hint = match nearest(interface, known()) {
        Some(near) => format!("; did you mean `{PACKAGE}/{near}@{}`?", contract::VERSION),
        None => format!(
            "; its points are: {}",
            points().collect::<Vec<_>>().join(", ")
        ),
    };
    Err(version::explained(unknown_export(name, &hint), &version))
}

/// Returns whether a name is of our package, in any version.
fn is_ours(name: &str) -> bool {
    let rest = name.strip_prefix(PACKAGE);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns an interface's name without its package and version.
fn short(name: &str) -> &str {
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    name.rsplit_once('/').map_or(name, |(_, short)| short)
}

fn unknown_export(name: &str, hint: &str) -> LoadFault {
    LoadFault::UnknownExport {
        name: sanitize_for_terminal(name),
        hint: hint.to_owned(),
    }
}

fn import(name: &str, functions: &[Function]) -> Result<Import, LoadFault> {
    let interface = name.split_once('@').map_or(name, |(name, _)| name);
    let version = is_ours(name).then(|| version::of(name)).transpose()?;
    if let Some(capability) = Capability::of(interface) {
        if let Some(feature) = capability.needs_feature {
            return Err(LoadFault::LeftOut {
                name: name.to_owned(),
                feature,
            });
        }
        let mut own = functions.iter().filter(|(interface, _)| interface == name);
        return Ok(Import {
            name: name.to_owned(),
            capability,
            inert: capability.permission.is_inert(&Grants::default()),
            waits: own.any(|(_, function)| (capability.waits)(function)),
        });
    }
    let known = CAPABILITIES.iter().flat_map(|known| known.interfaces);
    let hint = match nearest(interface, known.copied()) {
        Some(near) if interface.starts_with("portcullis:") => {
            format!("; did you mean `{near}`?")
        }
        _ if interface.starts_with("wasi:") => {
            "; no grant gives it: build the hook without it (sockets and processes \
             are out of a hook's reach; for HTTP there is `wasi:http/outgoing-handler`)"
                .to_owned()
        }
        _ => String::new(),
    };
    let unknown = LoadFault::UnknownImport {
        name: sanitize_for_terminal(name),
        hint,
    };
    Err(match version {
        Some(version) => version::explained(unknown, &version),
        None => unknown,
    })
}
