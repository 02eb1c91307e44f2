//! Why a hook did not load, and what to do about it.

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

/// A further cause of a slow compilation: in a debug build, the compiler itself may not be optimized.
const SLOW_COMPILER: &str = match cfg!(debug_assertions) {
    true => {
        "; this program is a debug build, so see that its Cargo.toml optimizes the compiler, with the profile lines in docs/embedding"
    }
    false => "",
};

/// Why a hook did not load, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The hooks directory cannot be read.
    #[error("cannot be read: {0}")]
    UnreadableDirectory(String),
    /// It is no regular file.
    #[error("is not a regular file; put the `.wasm` file itself into the hooks directory")]
    NotAFile,
    /// It is a symbolic link.
    #[error(
        "is a symbolic link; put the `.wasm` file itself into the hooks directory, or allow links within the directory in hooks.toml: [integrity] symlinks = true"
    )]
    Symlink,
    /// It is a symbolic link to somewhere else.
    #[error("is a symbolic link out of the hooks directory, to {}; copy the file into the directory", to.display())]
    LinkLeaves {
        /// Where it leads.
        to: PathBuf,
    },
    /// It did not stay the same while it was read.
    #[error(
        "was changed while it was read, and again when it was read once more; load the hooks again when it is complete"
    )]
    Changing,
    /// The directory has no lock.
    #[error(
        "has no hooks.lock, which hooks.toml requires ([integrity] lock = \"required\"); inspect the hooks, then write one: portcullis hooks lock"
    )]
    NoLock,
    /// The lock cannot be understood.
    #[error("cannot be read as a lock: {0}; write it again: portcullis hooks lock --update")]
    BadLock(String),
    /// A file cannot be pinned.
    #[error(
        "has a name that hooks.lock cannot hold: it is not UTF-8 text, or has a `:` or a `\\`; rename it"
    )]
    NameNotPinnable,
    /// It is not in the lock.
    #[error(
        "is not in hooks.lock, where no digest is pinned for it (it has sha256 {found}); see what it may do and trust it: portcullis hooks trust, or only pin it: portcullis hooks lock --update"
    )]
    NotLocked {
        /// Its digest.
        found: Digest,
    },
    /// The lock has another digest of it.
    #[error(
        "is not the file that hooks.lock pins: it has sha256 {found}, and sha256 {pinned} is pinned{}; put the pinned file back, or, if the new one may run, pin it: portcullis hooks lock --update",
        other_id.as_ref().map_or_else(String::new, |id| format!(", and it is another hook, `{id}`"))
    )]
    OtherDigest {
        /// Its digest.
        found: Digest,
        /// The digest that is pinned.
        pinned: Digest,
        /// Its id, if it was asked and is not the one that is pinned.
        other_id: Option<Box<str>>,
    },
    /// The lock has another id of it.
    #[error(
        "calls itself `{found}`, and hooks.lock pins it as `{pinned}`; a hook whose id changes by itself should not run: remove it, or pin it again: portcullis hooks lock --update"
    )]
    OtherId {
        /// Its id.
        found: String,
        /// The id that is pinned.
        pinned: String,
    },
    /// It is in the lock and not in the directory.
    #[error(
        "is pinned in hooks.lock (sha256 {pinned}) and is not in the directory (no file, no digest); put it back, or, if it was removed on purpose: portcullis remove {id}"
    )]
    Gone {
        /// The hook's id, as it can be shown.
        id: String,
        /// The digest that is pinned.
        pinned: Digest,
    },
    /// It is empty.
    #[error("is empty; was it cut off while it was copied? Copy it again")]
    Empty,
    /// It is larger than the host compiles.
    #[error(
        "has {size} bytes, more than the {most} that are compiled; build it smaller (release profile, stripped), or let it be larger in hooks.toml: [engine] component-bytes"
    )]
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The most bytes.
        most: u64,
    },
    /// It is made of more than is compiled.
    #[error(
        "has more {what} than the {most} that are compiled; no toolchain makes such a component, so take it away, or build it without them"
    )]
    TooComplex {
        /// What it has too many of.
        what: &'static str,
        /// The most there may be.
        most: usize,
    },
    /// Compiling it takes more processor time than it may.
    #[error(
        "takes more than {} ms of processor time to compile; build it smaller (release profile, stripped), or give it more in hooks.toml: [engine] compile-ms{SLOW_COMPILER}",
        most.as_millis()
    )]
    CompilesTooLong {
        /// How long it may take.
        most: Duration,
    },
    /// The compiler's process had so little processor time that it was stopped.
    #[error(
        "was not compiled in {} ms, in which the compiler had {} of processor time; the machine may be busy: try again when less runs, or let it wait longer in hooks.toml: [engine] compile-ms",
        waited.as_millis(),
        match used {
            Some(used) => format!("{} ms", used.as_millis()),
            None => "too little".to_owned(),
        }
    )]
    CompileStarved {
        /// The processor time that it had, where the system tells it.
        used: Option<Duration>,
        /// How long it was waited for.
        waited: Duration,
    },
    /// Compiling it takes more memory than it may.
    #[error(
        "takes more than {most} bytes of memory to compile; build it smaller (release profile, stripped), or give it more in hooks.toml: [engine] compile-memory-bytes"
    )]
    CompileMemory {
        /// How many bytes it may take.
        most: u64,
    },
    /// It is being compiled while hooks run, and takes effect when that is done.
    #[error("is being compiled, and takes effect when that is done")]
    BeingCompiled,
    /// Loading was cancelled while it was compiled.
    #[error("was not compiled, since loading was cancelled; load the hooks again")]
    CompileCancelled,
    /// The compiler failed.
    #[error("cannot be compiled: {0}")]
    Compiler(String),
    /// It is a core module.
    #[error(
        "is a core wasm module, not a component; build it for the target wasm32-wasip2, or turn \
         it into a component with `wasm-tools component new`"
    )]
    CoreModule,
    /// It is native code.
    #[error(
        "is native code with the ending `.wasm`, and nothing of it was run; build a component for the target wasm32-wasip2, or remove the file"
    )]
    NativeCode,
    /// It is something else.
    #[error(
        "is not WebAssembly (it begins with `{0}`); build a component for the target wasm32-wasip2, or remove the file"
    )]
    NotWasm(String),
    /// It is not valid.
    #[error(
        "is not a valid component: {0}; was it cut off while it was copied? Build or copy it again"
    )]
    Invalid(String),
    /// It exports an interface of ours that this host does not know.
    #[error("exports `{name}`, which this host does not know{hint}")]
    UnknownExport {
        /// The export.
        name: String,
        /// What may be meant.
        hint: String,
    },
    /// It is built for a version of the contract that this host does not serve.
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
        /// What to do.
        fix: Box<str>,
    },
    /// It is built for a newer version of the contract, and uses what the host's does not have.
    #[error(
        "is built for version {theirs} of the contract, which is newer than this host's {ours}, and uses what this host does not have: it {what}; run a newer host, or build the hook against the WIT of {ours}"
    )]
    NewerContract {
        /// The hook's version.
        theirs: Box<str>,
        /// The host's version.
        ours: Box<str>,
        /// What it uses.
        what: Box<str>,
    },
    /// It does not describe itself.
    #[error(
        "does not export `portcullis:hooks/describe`; export it beside the points (the SDKs do), so that the host knows its id"
    )]
    NoDescribe,
    /// It serves no point.
    #[error(
        "serves no lifecycle point: it exports none of the interfaces of `portcullis:hooks`; export at least one, such as `pre-turn`"
    )]
    NoPoint,
    /// It imports something that this host does not have.
    #[error("imports `{name}`, which this host does not offer{hint}")]
    UnknownImport {
        /// The import.
        name: String,
        /// What may be meant, or done.
        hint: String,
    },
    /// It imports something that this build of the host does not have.
    #[error(
        "imports `{name}`, which this program was built without; build it with the feature `{feature}` of the crate `portcullis`"
    )]
    LeftOut {
        /// The import.
        name: String,
        /// The feature.
        feature: &'static str,
    },
    /// It imports something that it was not granted.
    #[error(
        "imports {} to {description}, which it was not granted; if it may, write in hooks.toml: {grant}",
        listed(imports)
    )]
    NotGranted {
        /// The imports that need the same grant, for the same.
        imports: Vec<String>,
        /// What it lets a hook do.
        description: &'static str,
        /// What to write.
        grant: Box<MissingGrant>,
    },
    /// Its state must be in a store before its answers count, and there is none.
    #[error(
        "`{id}` has `write-state = \"before-answer\"`, and no store is open; open one (`stores.url` in agent.toml), or change `write-state` in hooks.toml"
    )]
    NoStateStore {
        /// Its id.
        id: String,
    },
    /// Its runs must be in a journal before its answers count, and there is none.
    #[error(
        "`{id}` has `write-run = \"before-answer\"`, and there is no journal; open a store and write one (`stores.url` and `stores.journal` in agent.toml), or change `write-run` in hooks.toml"
    )]
    NoJournal {
        /// Its id.
        id: String,
    },
    /// It has no `[hooks.ID]` table, and asks for what `[unnamed]` does not allow.
    #[error("is not named in hooks.toml, and {why}; {fix}")]
    Unnamed {
        /// What is not allowed.
        why: String,
        /// How it is named.
        fix: String,
    },
    /// A function has another signature than the contract's.
    #[error(
        "exports `{interface}` with another signature than this host's: {cause}; build it against this host's WIT"
    )]
    Signature {
        /// The interface.
        interface: String,
        /// What differs.
        cause: String,
    },
    /// It cannot be linked.
    #[error("cannot be linked: {0}")]
    Link(String),
    /// It could not describe itself.
    #[error("could not describe itself: {0}")]
    Describe(String),
    /// It has no configuration, and requires one.
    #[error(
        "requires {needs}, and has none; write in hooks.toml: [hooks.{id}.config] (portcullis hooks inspect shows what the keys mean)"
    )]
    NotConfigured {
        /// Its id.
        id: String,
        /// What it requires.
        needs: String,
    },
    /// The schema that it gives of its configuration cannot be used.
    #[error(
        "gives a schema of its configuration that cannot be used: {0}; only its author can correct that"
    )]
    ConfigSchema(String),
    /// It takes more memory mappings than there are for it, however few calls run.
    #[error("cannot run: {0}; raise the limit, or load fewer hooks")]
    Mappings(String),
    /// A secret that it was granted cannot be read.
    #[error(transparent)]
    Secret(#[from] MissingSecret),
    /// A directory that it was granted cannot be given to it.
    #[error("was granted the directory `{path}`, which {why}")]
    Directory {
        /// The directory, as it was written.
        path: String,
        /// Why, and what to do.
        why: String,
    },
    /// A directory that it was granted is within one that a hook may write.
    #[error(
        "was granted the directory `{path}`, which is within `{outer}`, which {} may write (write = [\"{outer}\"]): whoever writes there can put anything in its place; grant directories of which none contains another, or grant `{outer}` only to be read",
        by.as_ref().map_or_else(|| "it".to_owned(), |by| format!("`{by}`"))
    )]
    OverlappingGrants {
        /// The inner directory, as it was written.
        path: String,
        /// The outer directory, as it was written.
        outer: String,
        /// The hook that may write the outer one, if it is another.
        by: Option<String>,
    },
    /// A directory that it was granted to write holds what loading reads.
    #[error(
        "was granted to write the directory `{path}`, which holds {what}, which no hook may write since what is loaded or run comes from there; move it out of the directory, or grant another directory"
    )]
    WritableSource {
        /// The directory, as it was written.
        path: String,
        /// What is in it.
        what: String,
    },
    /// It may send requests, and TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Its id is none.
    #[error(
        "calls itself `{0}`; an id has lower-case letters, digits and dashes, begins with a letter, and is at most 64 bytes long"
    )]
    BadId(String),
    /// It says that it serves other points than it exports.
    #[error(
        "says that it serves {said}, but exports {exported}; the two must agree, since a missing export would be silent"
    )]
    PointsMismatch {
        /// What it says.
        said: String,
        /// What it exports.
        exported: String,
    },
    /// Two files have one id.
    #[error("has the id `{id}`, which {} has too; remove one of the two", other.display())]
    DuplicateId {
        /// The id.
        id: String,
        /// The other file.
        other: PathBuf,
    },
    /// Another file had the id before, and without a lock nothing says that this one may have it.
    #[error(
        "has the id `{id}`, which hooks.toml names and which {} had before; see what it may do and pin it (portcullis hooks trust FILE), or start the host anew",
        before.display()
    )]
    IdOfAnother {
        /// The id.
        id: String,
        /// The file that had it.
        before: PathBuf,
    },
    /// An observing hook cannot fail closed.
    #[error(
        "observes (role `observe`) and cannot fail closed: an observer never changes a verdict; give it the role `gate`, or `failure = \"fail-open\"`"
    )]
    ObserverFailsClosed,
    /// It may decide, and asks to run detached.
    #[error(
        "runs detached (`execution`), so it cannot decide; give it the role `observe`, or the execution `blocking`"
    )]
    NobodyWaits,
    /// Its answers count nowhere, and a share says in which sessions they count.
    #[error(
        "is in audit mode, so its `share` of sessions means nothing; write `mode = \"enforce\"` with it, or remove it"
    )]
    ShareOfAudit,
    /// It imports an answer that it may not give.
    #[error(
        "imports the answer `{kind}`, which it was not granted; if it may give it, write in hooks.toml: {grant}"
    )]
    MayNotAnswer {
        /// The answer.
        kind: &'static str,
        /// What to write.
        grant: Box<MissingGrant>,
    },
    /// It contributes something that it may not.
    #[error(
        "contributes `{kind}`, which it was not granted; if it may, write in hooks.toml: {grant}"
    )]
    MayNotContribute {
        /// What it contributes.
        kind: &'static str,
        /// What to write.
        grant: Box<MissingGrant>,
    },
    /// It has no place in the order.
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

/// Names in quotes, one after another.
pub(super) fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" and ")
}
