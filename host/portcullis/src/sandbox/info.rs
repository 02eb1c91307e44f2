//! Facts read from a component without running it: the points it serves and the imports it needs.

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

/// The answers that a component may give, by point.
pub(crate) type Answers = BTreeMap<PointId, BTreeSet<AnswerKind>>;

/// The points that a component serves and the imports that it needs.
#[derive(Debug, Clone)]
pub(crate) struct ComponentInfo {
    /// The newest contract version among the exports and imports.
    pub(crate) contract: Version,
    pub(crate) points: PointSet,
    pub(crate) served: Vec<ServedPoint>,
    pub(crate) describe: ComponentExportIndex,
    /// The export that returns the schema of the configuration, if there is one.
    pub(crate) config_schema: Option<ComponentExportIndex>,
    pub(crate) imports: Vec<Import>,
    /// The answers that the component may give, at each point whose answers it imports.
    pub(crate) answers: Answers,
    pub(crate) calling: CallMode,
    pub(crate) parts: ResourceCounts,
    /// The source lines of the component's functions.
    pub(crate) lines: SourceLines,
}

/// A point that a component serves, and its export.
#[derive(Debug, Clone)]
pub(crate) struct ServedPoint {
    pub(crate) point: PointId,
    pub(crate) interface: String,
    pub(crate) handle: ComponentExportIndex,
}

/// An import of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The name, with its version.
    pub name: String,
    /// The capability that the import belongs to.
    #[serde(flatten)]
    pub capability: &'static Capability,
    /// Whether the import is harmless because it needs no grant or has none.
    pub inert: bool,
    /// Whether a function of the import can make the component wait.
    #[serde(skip)]
    pub(crate) waits: bool,
}

impl Import {
    /// Returns whether the import can make the component wait. An optional import without a grant
    /// cannot.
    fn can_wait(&self) -> bool {
        let optional = matches!(self.capability.permission, Permission::Optional(_));
        self.waits && !(optional && self.inert)
    }
}

/// Returns the capabilities of the imports that are not inert, each once.
pub(crate) fn in_use(imports: &[Import]) -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().filter(|capability| {
        let mut imports = imports.iter();
        imports.any(|import| import.capability == *capability && !import.inert)
    })
}

/// Returns whether a component with these imports can read its configuration.
pub(crate) fn reads_config(imports: &[Import]) -> bool {
    let mut imports = imports.iter();
    imports.any(|import| *import.capability == CONFIG)
}

impl ComponentInfo {
    /// Returns the views that the component imports.
    pub(crate) fn views(&self) -> Vec<View> {
        let imports = |view: &View| {
            let interface = format!("portcullis:hooks/{}", view.name());
            let mut imports = self.imports.iter();
            imports.any(|import| bare(&import.name) == interface)
        };
        View::ALL.into_iter().filter(imports).collect()
    }

    /// Returns the answers that the component may give at any of its points.
    pub(crate) fn answer_kinds(&self) -> Vec<AnswerKind> {
        let kinds: BTreeSet<AnswerKind> = self.answers.values().flatten().copied().collect();
        kinds.into_iter().collect()
    }

    /// Returns the role that follows from the imports: the strongest that an answer or another
    /// import needs.
    pub(crate) fn role(&self) -> HookRole {
        let imports = self.imports.iter().map(|import| import.capability.role);
        strongest(imports.chain([AnswerKind::role_of(&self.answer_kinds())]))
    }

    /// Returns the kinds of the component's contributions, as its answer imports show.
    pub(crate) fn contributes(&self) -> Vec<ContributionKind> {
        let kinds = self.answer_kinds().into_iter();
        kinds.filter_map(AnswerKind::contribution).collect()
    }

    /// Applies the hook's grants, and the capabilities that `wait` for the store of hooks' state.
    /// Returns whether the hook's call mode changed.
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

/// Returns the call mode of a component with these imports.
pub(crate) fn calling(imports: &[Import]) -> CallMode {
    match imports.iter().any(|import| import.can_wait()) {
        true => CallMode::Async,
        false => CallMode::Sync,
    }
}
