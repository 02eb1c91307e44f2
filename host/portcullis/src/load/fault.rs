//! The reason why a hook did not load, with the fix.

use std::path::PathBuf;
use std::time::Duration;

use super::MissingGrant;
use crate::chain::order::OrderError;
use crate::model::secrets::MissingSecret;
use crate::model::verdict::Digest;
use crate::sandbox::capabilities::OpenError;
use crate::sandbox::capabilities::directories::Unusable;
use crate::sandbox::capabilities::http::TlsError;
use crate::settings::SettingsError;

/// Another cause of a slow compilation: in a debug build, the compiler itself may not be optimized.
const SLOW_COMPILER: &str = match cfg!(debug_assertions) {
    true => {
        "; this program is a debug build, so see that its Cargo.toml optimizes the compiler, with the profile lines in docs/embedding"
    }
    false => "",
};

/// The reason why a hook did not load, with the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The hooks directory cannot be read.
    #[error("cannot be read: {0}")]
    UnreadableDirectory(String),
    /// The file is not a regular file.
    #[error("is not a regular file; put the `.wasm` file itself into the hooks directory")]
    NotAFile,
    /// The file is a symbolic link.
    #[error(
        "is a symbolic link; put the `.wasm` file itself into the hooks directory, or allow links within the directory in hooks.toml: [integrity] symlinks = true"
    )]
    Symlink,
    /// The file is a symbolic link out of the directory.
    #[error("is a symbolic link out of the hooks directory, to {}; copy the file into the directory", to.display())]
    LinkLeaves {
        /// The target of the link.
        to: PathBuf,
    },
    /// The file changed while it was read.
    #[error(
        "was changed while it was read, and again when it was read once more; load the hooks again when it is complete"
    )]
    Changing,
    /// The directory has no lock.
    #[error(
        "has no hooks.lock, which hooks.toml requires ([integrity] lock = \"required\"); inspect the hooks, then write one: portcullis hooks lock"
    )]
    NoLock,
    /// The lock cannot be read.
    #[error("cannot be read as a lock: {0}; write it again: portcullis hooks lock --update")]
    BadLock(String),
    /// The file has a name that cannot be pinned.
    #[error(
        "has a name that hooks.lock cannot hold: it is not UTF-8 text, or has a `:` or a `\\`; rename it"
    )]
    NameNotPinnable,
    /// The file is not in the lock.
    #[error(
        "is not in hooks.lock, where no digest is pinned for it (it has sha256 {found}); see what it may do and trust it: portcullis hooks trust, or only pin it: portcullis hooks lock --update"
    )]
    NotLocked {
        /// The file's digest.
        found: Digest,
    },
    /// The lock pins another digest for the file.
    #[error(
        "is not the file that hooks.lock pins: it has sha256 {found}, and sha256 {pinned} is pinned{}; put the pinned file back, or, if the new one may run, pin it: portcullis hooks lock --update",
        other_id.as_ref().map_or_else(String::new, |id| format!(", and it is another hook, `{id}`"))
    )]
    OtherDigest {
        /// The file's digest.
        found: Digest,
        /// The pinned digest.
        pinned: Digest,
        /// The hook's id, if it is known and is not the pinned one.
        other_id: Option<Box<str>>,
    },
    /// The lock pins another id for the file.
    #[error(
        "calls itself `{found}`, and hooks.lock pins it as `{pinned}`; a hook whose id changes by itself should not run: remove it, or pin it again: portcullis hooks lock --update"
    )]
    OtherId {
        /// The hook's id.
        found: String,
        /// The pinned id.
        pinned: String,
    },
    /// The file is in the lock and not in the directory.
    #[error(
        "is pinned in hooks.lock (sha256 {pinned}) and is not in the directory (no file, no digest); put it back, or, if it was removed on purpose: portcullis remove {id}"
    )]
    Gone {
        /// The hook's id, in a form that is safe to show.
        id: String,
        /// The pinned digest.
        pinned: Digest,
    },
    /// The file is empty.
    #[error("is empty; was it cut off while it was copied? Copy it again")]
    Empty,
    /// The file is larger than the host compiles.
    #[error(
        "has {size} bytes, more than the {most} that are compiled; build it smaller (release profile, stripped), or let it be larger in hooks.toml: [engine] component-bytes"
    )]
    TooLarge {
        /// The file's size in bytes.
        size: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The component has more parts than the host compiles.
    #[error(
        "has more {what} than the {most} that are compiled; no toolchain makes such a component, so remove the file, or build it without them"
    )]
    TooComplex {
        /// The kind of part of which the component has too many.
        what: &'static str,
        /// The maximum number of these parts.
        most: usize,
    },
    /// The compilation exceeded the limit of processor time.
    #[error(
        "takes more than {} ms of processor time to compile; build it smaller (release profile, stripped), or give it more in hooks.toml: [engine] compile-ms{SLOW_COMPILER}",
        most.as_millis()
    )]
    CompilesTooLong {
        /// The limit of processor time.
        most: Duration,
    },
    /// The compilation was stopped because the compiler's process got too little processor time.
    #[error(
        "was not compiled in {} ms, in which the compiler had {} of processor time; the machine may be busy: try again when less runs, or let it wait longer in hooks.toml: [engine] compile-ms",
        waited.as_millis(),
        match used {
            Some(used) => format!("{} ms", used.as_millis()),
            None => "too little".to_owned(),
        }
    )]
    CompileStarved {
        /// The processor time that the process got, if the system reports it.
        used: Option<Duration>,
        /// The time that the host waited.
        waited: Duration,
    },
    /// The compilation exceeded the memory limit.
    #[error(
        "takes more than {most} bytes of memory to compile; build it smaller (release profile, stripped), or give it more in hooks.toml: [engine] compile-memory-bytes"
    )]
    CompileMemory {
        /// The memory limit in bytes.
        most: u64,
    },
    /// The component is being compiled while hooks run, and takes effect when it is compiled.
    #[error("is being compiled, and takes effect when that is done")]
    BeingCompiled,
    /// Loading was cancelled during the compilation.
    #[error("was not compiled, since loading was cancelled; load the hooks again")]
    CompileCancelled,
    /// The compiler failed.
    #[error("cannot be compiled: {0}")]
    Compiler(String),
    /// The file is a core module.
    #[error(
        "is a core wasm module, not a component; build it for the target wasm32-wasip2, or turn \
         it into a component with `wasm-tools component new`"
    )]
    CoreModule,
    /// The file is native code.
    #[error(
        "is native code with the ending `.wasm`, and nothing of it was run; build a component for the target wasm32-wasip2, or remove the file"
    )]
    NativeCode,
    /// The file is not WebAssembly.
    #[error(
        "is not WebAssembly (it begins with `{0}`); build a component for the target wasm32-wasip2, or remove the file"
    )]
    NotWasm(String),
    /// The component is not valid.
    #[error(
        "is not a valid component: {0}; was it cut off while it was copied? Build or copy it again"
    )]
    Invalid(String),
    /// The component exports an interface of our package that this host does not know.
    #[error("exports `{name}`, which this host does not know{hint}")]
    UnknownExport {
        /// The export.
        name: String,
        /// A hint at the intended name.
        hint: String,
    },
    /// The component is built for a contract version that this host does not serve.
    #[error(
        "is built for `{name}`, and this host serves version {ours} of the contract, so hooks that are built for {range}; {fix}"
    )]
    OtherVersion {
        /// The export or import.
        name: Box<str>,
        /// The host's version.
        ours: Box<str>,
        /// The versions that hooks may be built for.
        range: Box<str>,
        /// The fix.
        fix: Box<str>,
    },
    /// The component is built for a newer contract version, and uses a part that the host's version
    /// lacks.
    #[error(
        "is built for version {theirs} of the contract, which is newer than this host's {ours}, and uses what this host does not have: it {what}; run a newer host, or build the hook against the WIT of {ours}"
    )]
    NewerContract {
        /// The hook's version.
        theirs: Box<str>,
        /// The host's version.
        ours: Box<str>,
        /// The part that the component uses.
        what: Box<str>,
    },
    /// The component does not export `describe`.
    #[error(
        "does not export `portcullis:hooks/describe`; export it beside the points (the SDKs do), so that the host knows its id"
    )]
    NoDescribe,
    /// The component serves no point.
    #[error(
        "serves no lifecycle point: it exports none of the interfaces of `portcullis:hooks`; export at least one, such as `pre-turn`"
    )]
    NoPoint,
    /// The component imports something that this host does not offer.
    #[error("imports `{name}`, which this host does not offer{hint}")]
    UnknownImport {
        /// The import.
        name: String,
        /// A hint at the intended name or the fix.
        hint: String,
    },
    /// The component imports something that this build of the host was built without.
    #[error(
        "imports `{name}`, which this program was built without; build it with the feature `{feature}` of the crate `portcullis`"
    )]
    LeftOut {
        /// The import.
        name: String,
        /// The feature that the import needs.
        feature: &'static str,
    },
    /// The component imports something that it was not granted.
    #[error(
        "imports {} to {description}, which it was not granted; if it may, write in hooks.toml: {grant}",
        listed(imports)
    )]
    NotGranted {
        /// The imports that need the same grant for the same purpose.
        imports: Vec<String>,
        /// The ability that the imports give a hook.
        description: &'static str,
        /// The grant to add.
        grant: Box<MissingGrant>,
    },
    /// The hook's state must be in a store before its answers count, and there is no store.
    #[error(
        "`{id}` has `write-state = \"before-answer\"`, and no store is open; open one (`stores.url` in agent.toml), or change `write-state` in hooks.toml"
    )]
    NoStateStore {
        /// The hook's id.
        id: String,
    },
    /// The hook's runs must be in a journal before its answers count, and there is no journal.
    #[error(
        "`{id}` has `write-run = \"before-answer\"`, and there is no journal; open a store and write one (`stores.url` and `stores.journal` in agent.toml), or change `write-run` in hooks.toml"
    )]
    NoJournal {
        /// The hook's id.
        id: String,
    },
    /// The hook has no `[hooks.ID]` table, and requests something that `[unnamed]` does not allow.
    #[error("is not named in hooks.toml, and {why}; {fix}")]
    Unnamed {
        /// The request that is not allowed.
        why: String,
        /// The instructions to name the hook.
        fix: String,
    },
    /// A function has a different signature than in the contract.
    #[error(
        "exports `{interface}` with another signature than this host's: {cause}; build it against this host's WIT"
    )]
    Signature {
        /// The interface.
        interface: String,
        /// The difference.
        cause: String,
    },
    /// The component cannot be linked.
    #[error("cannot be linked: {0}")]
    Link(String),
    /// The hook could not describe itself.
    #[error("could not describe itself: {0}")]
    Describe(String),
    /// The hook requires a configuration and has none.
    #[error(
        "requires {needs}, and has none; write in hooks.toml: [hooks.{id}.config] (portcullis hooks inspect shows what the keys mean)"
    )]
    NotConfigured {
        /// The hook's id.
        id: String,
        /// The required configuration.
        needs: String,
    },
    /// The hook's configuration schema cannot be used.
    #[error(
        "gives a schema of its configuration that cannot be used: {0}; only its author can correct that"
    )]
    ConfigSchema(String),
    /// The hook needs more memory mappings than are available, however few calls run.
    #[error("cannot run: {0}; raise the limit, or load fewer hooks")]
    Mappings(String),
    /// A secret that the hook was granted cannot be read.
    #[error(transparent)]
    Secret(#[from] MissingSecret),
    /// A directory that the hook was granted cannot be used.
    #[error("was granted the directory `{path}`, which {why}")]
    Directory {
        /// The directory, as written in the grant.
        path: String,
        /// The reason and the fix.
        why: String,
    },
    /// A directory that the hook was granted is within one that a hook may write.
    #[error(
        "was granted the directory `{path}`, which is within `{outer}`, which {} may write (write = [\"{outer}\"]): whoever writes there can put anything in its place; grant directories of which none contains another, or grant `{outer}` only to be read",
        by.as_ref().map_or_else(|| "it".to_owned(), |by| format!("`{by}`"))
    )]
    OverlappingGrants {
        /// The inner directory, as written in the grant.
        path: String,
        /// The outer directory, as written in the grant.
        outer: String,
        /// The hook that may write the outer directory, if it is another hook.
        by: Option<String>,
    },
    /// A directory that the hook may write contains a file that is loaded or run.
    #[error(
        "was granted to write the directory `{path}`, which holds {what}, which no hook may write since what is loaded or run comes from there; move it out of the directory, or grant another directory"
    )]
    WritableSource {
        /// The directory, as written in the grant.
        path: String,
        /// The loaded or run file in the directory.
        what: String,
    },
    /// The hook may send requests, and TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The hook's id is not valid.
    #[error(
        "calls itself `{0}`; an id has lower-case letters, digits and dashes, begins with a letter, and is at most 64 bytes long"
    )]
    BadId(String),
    /// The hook declares other points than it exports.
    #[error(
        "says that it serves {said}, but exports {exported}; the two must agree, since a missing export would be silent"
    )]
    PointsMismatch {
        /// The declared points.
        said: String,
        /// The exported points.
        exported: String,
    },
    /// Two files have the same id.
    #[error("has the id `{id}`, which {} has too; remove one of the two", other.display())]
    DuplicateId {
        /// The id.
        id: String,
        /// The other file.
        other: PathBuf,
    },
    /// Another file had the id before, and there is no lock that assigns the id to this file.
    #[error(
        "has the id `{id}`, which hooks.toml names and which {} had before; see what it may do and pin it (portcullis hooks trust FILE), or restart the host",
        before.display()
    )]
    IdOfAnother {
        /// The id.
        id: String,
        /// The file that had the id before.
        before: PathBuf,
    },
    /// An observing hook cannot fail closed.
    #[error(
        "observes (role `observe`) and cannot fail closed: an observer never changes a verdict; give it the role `gate`, or `failure = \"fail-open\"`"
    )]
    ObserverFailsClosed,
    /// The hook may decide, but is set to run detached.
    #[error(
        "runs detached (`execution`), so it cannot decide; give it the role `observe`, or the execution `blocking`"
    )]
    NobodyWaits,
    /// The hook is in audit mode, in which its answers never count, but has a share of sessions.
    #[error(
        "is in audit mode, so its `share` of sessions means nothing; write `mode = \"enforce\"` with it, or remove it"
    )]
    ShareOfAudit,
    /// The hook imports an answer that it was not granted.
    #[error(
        "imports the answer `{kind}`, which it was not granted; if it may give it, write in hooks.toml: {grant}"
    )]
    MayNotAnswer {
        /// The answer.
        kind: &'static str,
        /// The grant to add.
        grant: Box<MissingGrant>,
    },
    /// The hook makes a contribution that it was not granted.
    #[error(
        "contributes `{kind}`, which it was not granted; if it may, write in hooks.toml: {grant}"
    )]
    MayNotContribute {
        /// The contribution.
        kind: &'static str,
        /// The grant to add.
        grant: Box<MissingGrant>,
    },
    /// The hook cannot be ordered.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The settings are wrong.
    #[error("{}", .0.problem)]
    Settings(Box<SettingsError>),
}

impl From<OpenError> for LoadFault {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Directory(Unusable { path, why }) => Self::Directory { path, why },
            OpenError::Secret(missing) => missing.into(),
            #[cfg(feature = "http")]
            OpenError::Tls(error) => error.into(),
        }
    }
}

/// Joins names in quotes with `and`.
pub(super) fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" and ")
}
