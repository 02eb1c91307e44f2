//! Codes of the reasons why a hook did not load.

use portcullis::hooks::{HooksError, LoadFault, Stage};

/// The code of a hook that asks for more than the operator grants to unnamed hooks.
pub(crate) const UNNAMED: &str = "unnamed";

/// Returns the code of an error of loading: its fault's, or else that of its stage.
pub(crate) fn code(error: &HooksError) -> String {
    let errors = match error {
        HooksError::Load(errors) => errors,
        HooksError::Cache(_) => return "cache".into(),
        HooksError::Engine(_) => return "host".into(),
    };
    let Some(first) = errors.0.first() else {
        return "host".into();
    };
    let known = match &first.fault {
        LoadFault::Unreadable(_) | LoadFault::UnreadableDirectory(_) => "unreadable",
        LoadFault::NotAFile => "not-a-file",
        LoadFault::Empty => "empty",
        LoadFault::TooLarge { .. } => "too-large",
        LoadFault::TooComplex { .. } => "too-complex",
        LoadFault::CompilesTooLong { .. } => "compile-time",
        LoadFault::CompileMemory { .. } => "compile-memory",
        LoadFault::CoreModule => "core-module",
        LoadFault::NativeCode => "native-code",
        LoadFault::NotWasm(_) => "not-wasm",
        LoadFault::Invalid(_) => "invalid",
        LoadFault::UnknownExport { .. } => "unknown-export",
        LoadFault::OtherVersion { .. } => "other-version",
        LoadFault::NewerContract { .. } => "newer-contract",
        LoadFault::NoDescribe => "no-describe",
        LoadFault::NoPoint => "no-point",
        LoadFault::UnknownImport { .. } => "unknown-import",
        LoadFault::NotGranted { .. } => "not-granted",
        LoadFault::Unnamed { .. } => UNNAMED,
        LoadFault::Signature { .. } => "signature",
        LoadFault::ConfigSchema(_) => "config-schema",
        LoadFault::BadId(_) => "bad-id",
        LoadFault::PointsMismatch { .. } => "points-mismatch",
        LoadFault::DuplicateId { .. } => "duplicate-id",
        LoadFault::IdOfAnother { .. } => "id-of-another",
        LoadFault::MayNotAnswer { .. } => "may-not-answer",
        LoadFault::MayNotContribute { .. } => "may-not-contribute",
        LoadFault::OverlappingGrants { .. } => "overlapping-grants",
        LoadFault::WritableSource { .. } => "writable-source",
        LoadFault::NobodyWaits => "nobody-waits",
        LoadFault::Settings(_) => "settings",
        _ => stage(first.stage),
    };
    known.into()
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Lock => "lock",
        Stage::Read => "read",
        Stage::Compile => "compile",
        Stage::Inspect => "inspect",
        Stage::Link => "link",
        Stage::Describe => "describe",
        Stage::Resolve => "resolve",
        Stage::Order => "order",
    }
}
