//! What is known of a component without running it: what it serves and needs.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use serde::Serialize;
use wasmtime::component::ComponentExportIndex;

use super::capabilities::directories::{self, is_files};
use super::capabilities::{CallMode, Capability, Permission};
use super::parts::ResourceCounts;
use crate::contract::ContributionKind;
use crate::model::points::{AnswerKind, PointId, PointSet};

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
    pub(crate) imports: Vec<Import>,
    /// What it may answer, at each point that it imports answers of.
    pub(crate) answers: Answers,
    pub(crate) calling: CallMode,
    pub(crate) parts: ResourceCounts,
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
    pub capability: Capability,
}

impl ComponentInfo {
    /// Whether it imports something that this must be granted for.
    pub(crate) fn needs(&self, permission: Permission) -> bool {
        let mut imports = self.imports.iter();
        imports.any(|import| import.capability.permission == permission)
    }

    /// The answers that it may give at any of its points.
    pub(crate) fn answer_kinds(&self) -> Vec<AnswerKind> {
        let kinds: BTreeSet<AnswerKind> = self.answers.values().flatten().copied().collect();
        kinds.into_iter().collect()
    }

    /// What it contributes: what it imports the answers for.
    pub(crate) fn contributes(&self) -> Vec<ContributionKind> {
        let kinds = self.answer_kinds().into_iter();
        kinds.filter_map(AnswerKind::contribution).collect()
    }

    /// Its files are no longer inert: a directory was granted. To use one is to wait for the disk.
    /// Says whether it imports files at all.
    pub(crate) fn has_directories(&mut self) -> bool {
        let files = |import: &&mut Import| is_files(import.capability.interface);
        let mut any = false;
        for import in self.imports.iter_mut().filter(files) {
            import.capability.permission = Permission::Directories;
            import.capability.lets = directories::LETS;
            any = true;
        }
        if any {
            self.calling = CallMode::Async;
        }
        any
    }
}
