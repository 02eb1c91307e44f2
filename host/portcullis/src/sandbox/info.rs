//! What is known of a component without running it: what it serves and needs.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use serde::Serialize;
use wasmtime::component::ComponentExportIndex;

use super::capabilities::{CAPABILITIES, CONFIG, CallMode, Capability, Grants, Permission};
use super::lines::SourceLines;
use super::resource_counts::ResourceCounts;
use crate::contract::linked::bare;
use crate::contract::{ContributionKind, HookRole};
use crate::model::points::{AnswerKind, PointId, PointSet, strongest};
use crate::model::view::View;

/// What a component may answer, by point.
pub(crate) type Answers = BTreeMap<PointId, BTreeSet<AnswerKind>>;

/// What a component serves and needs.
#[derive(Debug, Clone)]
pub(crate) struct ComponentInfo {
    /// The newest version of the contract among what it exports and imports.
    pub(crate) contract: Version,
    pub(crate) points: PointSet,
    pub(crate) served: Vec<ServedPoint>,
    pub(crate) describe: ComponentExportIndex,
    /// What gives the schema of its configuration, if it exports that.
    pub(crate) config_schema: Option<ComponentExportIndex>,
    pub(crate) imports: Vec<Import>,
    /// What it may answer, at each point that it imports answers of.
    pub(crate) answers: Answers,
    pub(crate) calling: CallMode,
    pub(crate) parts: ResourceCounts,
    /// The lines that its functions were compiled from.
    pub(crate) lines: SourceLines,
}

/// A point that a component serves, and where.
#[derive(Debug, Clone)]
pub(crate) struct ServedPoint {
    pub(crate) point: PointId,
    pub(crate) interface: String,
    pub(crate) handle: ComponentExportIndex,
}

/// Something that a component imports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The name, with its version.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub capability: &'static Capability,
    /// Whether it is harmless, since nothing must be granted for it or nothing was.
    pub inert: bool,
    /// Whether a function of it can make the component wait.
    #[serde(skip)]
    pub(crate) waits: bool,
}

impl Import {
    /// Whether it can make the component wait. What is optional and was not granted cannot.
    fn can_wait(&self) -> bool {
        let optional = matches!(self.capability.permission, Permission::Optional(_));
        self.waits && !(optional && self.inert)
    }
}

/// The capabilities of these imports that are not inert, each once.
pub(crate) fn in_use(imports: &[Import]) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().filter(|capability| {
        let mut imports = imports.iter();
        imports.any(|import| import.capability == *capability && !import.inert)
    })
}

/// Whether a component with these imports can read its configuration.
pub(crate) fn reads_config(imports: &[Import]) -> bool {
    let mut imports = imports.iter();
    imports.any(|import| *import.capability == CONFIG)
}

impl ComponentInfo {
    /// The views that it imports.
    pub(crate) fn views(&self) -> Vec<View> {
        let imports = |view: &View| {
            let interface = format!("portcullis:hooks/{}", view.name());
            let mut imports = self.imports.iter();
            imports.any(|import| bare(&import.name) == interface)
        };
        View::ALL.into_iter().filter(imports).collect()
    }

    /// The answers that it may give at any of its points.
    pub(crate) fn answer_kinds(&self) -> Vec<AnswerKind> {
        let kinds: BTreeSet<AnswerKind> = self.answers.values().flatten().copied().collect();
        kinds.into_iter().collect()
    }

    /// The role that follows from its imports: the strongest that an answer or another import needs.
    pub(crate) fn role(&self) -> HookRole {
        let imports = self.imports.iter().map(|import| import.capability.role);
        strongest(imports.chain([AnswerKind::role_of(&self.answer_kinds())]))
    }

    /// What it contributes: what it imports the answers for.
    pub(crate) fn contributes(&self) -> Vec<ContributionKind> {
        let kinds = self.answer_kinds().into_iter();
        kinds.filter_map(AnswerKind::contribution).collect()
    }

    /// Takes into account what the hook was granted, and which capabilities `wait` for the store of
    /// hooks' state. Says whether it is called in another way now.
    pub(crate) fn grant(&mut self, grants: &Grants, wait: impl Fn(&Capability) -> bool) -> bool {
        for import in &mut self.imports {
            import.inert = import.capability.permission.is_inert(grants);
            import.waits |= wait(import.capability);
        }
        let before = self.calling;
        self.calling = calling(&self.imports);
        self.calling != before
    }
}

/// How a component with these imports is called.
pub(crate) fn calling(imports: &[Import]) -> CallMode {
    match imports.iter().any(|import| import.can_wait()) {
        true => CallMode::Async,
        false => CallMode::Sync,
    }
}
