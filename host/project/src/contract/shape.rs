//! What a point looks like: what a hook is given there, and what it may answer.

use anyhow::Context as _;
use serde::Serialize;
use wit_parser::{Function, PackageId, Resolve, Type, TypeDefKind};

/// The beginning of the name of a point's world.
const WORLD: &str = "on-";

/// A point, as the contract has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PointShape {
    /// Its name, such as `pre-turn`.
    pub name: String,
    /// What happens there, in one sentence or two.
    pub docs: String,
    /// The name of the record that a hook is given, such as `turn-input`.
    pub input: String,
    /// What a hook may answer.
    pub outcomes: Vec<Case>,
    /// Whether the outcomes are an enum, since none of them carries anything.
    pub is_enum: bool,
}

/// One outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Its name, such as `continue`.
    pub name: String,
    /// What it means.
    pub docs: String,
    /// Whether it carries something, such as a rejection.
    pub has_payload: bool,
}

/// The points of a package: its worlds called `on-…`, each exporting one interface.
pub(super) fn points(resolve: &Resolve, package: PackageId) -> anyhow::Result<Vec<PointShape>> {
    let package = resolve.packages.get(package).context("no such package")?;
    package
        .worlds
        .keys()
        .filter_map(|world| world.strip_prefix(WORLD))
        .map(|point| {
            let id = package.interfaces.get(point);
            let interface = id.and_then(|id| resolve.interfaces.get(*id));
            let interface =
                interface.with_context(|| format!("there is no interface `{point}`"))?;
            let handle = interface.functions.get("handle");
            let (input, outcome) = handle
                .and_then(|handle| signature(resolve, handle))
                .with_context(|| format!("`{point}` is not handled as a point"))?;
            let (outcomes, is_enum) =
                outcomes(resolve, outcome).with_context(|| format!("`{point}` has no outcomes"))?;
            Ok(PointShape {
                name: point.to_owned(),
                docs: docs(&interface.docs),
                input: named(resolve, input).context("an input without a name")?,
                outcomes,
                is_enum,
            })
        })
        .collect()
}

/// What a function `handle(context, input) -> result<outcome, error>` takes and gives.
fn signature(resolve: &Resolve, handle: &Function) -> Option<(Type, Type)> {
    let input = handle.params.get(1)?.ty;
    let Type::Id(result) = handle.result? else {
        return None;
    };
    match &resolve.types.get(result)?.kind {
        TypeDefKind::Result(result) => Some((input, result.ok?)),
        _ => None,
    }
}

fn named(resolve: &Resolve, ty: Type) -> Option<String> {
    match ty {
        Type::Id(id) => resolve.types.get(id)?.name.clone(),
        _ => None,
    }
}

fn outcomes(resolve: &Resolve, ty: Type) -> Option<(Vec<Case>, bool)> {
    let Type::Id(id) = ty else { return None };
    match &resolve.types.get(id)?.kind {
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter().map(|case| Case {
                name: case.name.clone(),
                docs: docs(&case.docs),
                has_payload: case.ty.is_some(),
            });
            Some((cases.collect(), false))
        }
        TypeDefKind::Enum(cases) => {
            let cases = cases.cases.iter().map(|case| Case {
                name: case.name.clone(),
                docs: docs(&case.docs),
                has_payload: false,
            });
            Some((cases.collect(), true))
        }
        _ => None,
    }
}

fn docs(docs: &wit_parser::Docs) -> String {
    docs.contents.clone().unwrap_or_default().trim().to_owned()
}
