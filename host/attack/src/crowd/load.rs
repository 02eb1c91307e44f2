//! The hooks of a crowd: one guard, every hook of the kit that can share a host with it, and the files of
//! the kit that do not load. Each other hook has a separate host in the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis::contract::FailurePolicy;
use portcullis::hooks::CacheChoice;
use portcullis::settings::{HookSettings, Settings, Unnamed};
use portcullis::{Hooks, LoadOptions};

use super::{GUARD, GUARD_POINT};
use crate::attack::{Attack, Expected, Place};
use crate::list;
use crate::options::Options;

/// The guard of all sessions.
const GUARD_TEXT: &str = ";; what = \"Continues.\"\n;; id = \"guard\"\n;; point = \"pre-tool-call\"\n(func $attack (type $handle) (i32.const 0))";

/// The hooks directory's name.
const HOOKS: &str = "hooks";

/// A hostile hook of the crowd.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub(super) id: String,
    pub(super) point: String,
    /// The turn in which it is hostile.
    pub(super) turn: u32,
    /// Its host, if that is not the crowd's.
    pub(super) apart: Option<Apart>,
}

/// A host of one hostile hook.
#[derive(Debug, Clone)]
pub(super) struct Apart {
    pub(super) hooks: Hooks,
    /// Held for as long as the host is.
    _dir: Arc<tempfile::TempDir>,
}

/// The hooks of a crowd.
pub(super) struct Crowd {
    pub(super) hooks: Hooks,
    pub(super) kinds: Vec<Kind>,
    /// Files that do not load, each with how it is put into the hooks directory.
    pub(super) files: Vec<(Place, Vec<u8>)>,
    dir: tempfile::TempDir,
}

impl Crowd {
    pub(super) fn load(options: &Options) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let hooks = dir.path().join(HOOKS);
        std::fs::create_dir(&hooks).map_err(|e| e.to_string())?;
        let mut settings = Settings::default();
        settings.engine.clone_from(&options.engine);
        settings.defaults.clone_from(&options.defaults);
        never_quarantine(&mut settings);
        // A hostile file is granted all its imports, once it loads.
        settings.unnamed = Unnamed::trusted();
        // After all hostile hooks, so that each of them can affect it.
        let guard = HookSettings {
            priority: Some(i32::MAX),
            ..HookSettings::default()
        };
        settings.hooks.insert(GUARD.to_owned(), guard);
        write(&hooks, GUARD, &attack(GUARD, GUARD_TEXT)?)?;
        let (mut kinds, mut files) = (Vec::new(), Vec::new());
        for (path, text) in list::files() {
            let turn = u32::try_from(kinds.len() + 1).map_err(|e| e.to_string())?;
            let known = attack(path, text)?;
            if known.header.expected == Expected::LoadRefused {
                files.extend(file(&known)?);
                continue;
            }
            if can_be_at_the_guard(&known, text) {
                kinds.push(at_the_guard(&known, path, text, turn, options)?);
            }
            let Some((attack, said)) = hostile(&known, path, text, turn)? else {
                continue;
            };
            if needs_a_host(&known) {
                kinds.push(apart(attack, said, turn, options)?);
                continue;
            }
            settings.hooks.extend(said.hooks);
            // The operator named the hook, so it may use its imports.
            let own = settings.hooks.entry(attack.name.clone()).or_default();
            if is_always_hostile(&known, text) {
                // With another policy, a failure would end the calls of the others that serve its
                // point.
                own.failure = Some(FailurePolicy::FailOpen);
                own.priority = Some(i32::MAX);
            }
            write(&hooks, &attack.name, &attack)?;
            kinds.push(Kind {
                id: attack.name,
                point: attack.header.point,
                turn,
                apart: None,
            });
        }
        let hooks = load(&hooks, &settings, options)?;
        Ok(Self {
            hooks,
            kinds,
            files,
            dir,
        })
    }

    /// Returns the hooks directory.
    pub(super) fn dir(&self) -> PathBuf {
        self.dir.path().join(HOOKS)
    }
}

/// Disables quarantine: a component in quarantine is not called, and so not hostile.
fn never_quarantine(settings: &mut Settings) {
    settings.quarantine.failures = u32::MAX;
}

fn load(dir: &Path, settings: &Settings, options: &Options) -> Result<Hooks, String> {
    let loading = LoadOptions {
        cache: CacheChoice::None,
        compiler: options.compiler.clone(),
        ..LoadOptions::default()
    };
    Hooks::load_with(dir, settings, &loading).map_err(|e| e.to_string())
}

/// Returns a hostile hook in a separate host, with these settings.
fn apart(
    attack: Attack,
    mut settings: Settings,
    turn: u32,
    options: &Options,
) -> Result<Kind, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    never_quarantine(&mut settings);
    settings.hooks.entry(attack.name.clone()).or_default();
    write(dir.path(), &attack.name, &attack)?;
    let hooks = load(dir.path(), &settings, options)?;
    Ok(Kind {
        id: attack.name,
        point: attack.header.point,
        turn,
        apart: Some(Apart {
            hooks,
            _dir: Arc::new(dir),
        }),
    })
}

/// Returns whether the hook is hostile in every call, even if it is moved to the guard's point.
fn can_be_at_the_guard(known: &Attack, text: &str) -> bool {
    let header = &known.header;
    is_always_hostile(known, text)
        && !text.contains(";; point")
        && header.place == Place::AsItIs
        && !header.raw
        && header.bytes.is_none()
        && header.expected != Expected::LoadRefused
        && header.imports.iter().all(|import| !import.contains('/'))
        && header.answers.is_none()
        && header.also.is_none()
        && header.id == "hostile"
}

/// Returns a hook that is hostile in every call, at the guard's point. In the crowd's host it would
/// be hostile in all sessions.
fn at_the_guard(
    known: &Attack,
    path: &str,
    text: &str,
    turn: u32,
    options: &Options,
) -> Result<Kind, String> {
    let name = format!("{}-{GUARD}", known.name);
    let text = format!(";; id = \"{name}\"\n;; point = \"{GUARD_POINT}\"\n{text}");
    let moved = Attack {
        name,
        ..attack(path, &text)?
    };
    let said = settings(known, &moved.name)?;
    apart(moved, said, turn, options)
}

/// Returns a file that does not load and can be put beside the others while they run. Settings are
/// not read again. The kit's own rows test files that change while they are loaded.
fn file(known: &Attack) -> Result<Option<(Place, Vec<u8>)>, String> {
    let header = &known.header;
    let elsewhere = header.place.is_settings()
        || matches!(
            header.place,
            Place::Changing | Place::LinkSwapped | Place::CacheOfAnother | Place::AfterARemovedOne
        )
        || !header.settings.is_empty()
        || !header.directories.is_empty()
        || !header.named
        // Refused only beside the healthy hooks of the kit, which are not here.
        || header.id != "hostile";
    match elsewhere {
        true => Ok(None),
        false => Ok(Some((header.place, known.guest.bytes()?))),
    }
}

/// Returns whether the hook is hostile in every call at its point, in any turn.
fn is_always_hostile(known: &Attack, text: &str) -> bool {
    !known.header.healthy
        || text.contains("(export \"handle\")")
        || text.contains("(export \"describe\")")
}

/// Returns whether the attack needs settings that apply to all hooks of a host.
fn needs_a_host(known: &Attack) -> bool {
    let tables = ["[engine]", "[defaults", "[integrity]"];
    tables
        .iter()
        .any(|table| known.header.settings.contains(table))
}

/// Returns an attack under a separate id, hostile in one turn, if it loads and is hostile without
/// the healthy hooks of the kit. A hook that is hostile in every call is not at the guard's point:
/// see [`at_the_guard`].
fn hostile(
    known: &Attack,
    path: &str,
    text: &str,
    turn: u32,
) -> Result<Option<(Attack, Settings)>, String> {
    let header = &known.header;
    if header.place != Place::AsItIs
        || header.raw
        || header.bytes.is_some()
        || header.id != "hostile"
        || header.also.is_some()
        || !header.directories.is_empty()
        || (header.point == GUARD_POINT && is_always_hostile(known, text))
    {
        return Ok(None);
    }
    let name = &known.name;
    let said = settings(known, name)?;
    let text = format!(";; id = \"{name}\"\n;; turn = {turn}\n{text}");
    Ok(Some((attack(path, &text)?, said)))
}

/// Returns an attack's settings, under another id.
fn settings(known: &Attack, name: &str) -> Result<Settings, String> {
    let text = known
        .header
        .settings
        .replace("hooks.hostile", &format!("hooks.{name}"));
    Settings::parse(Path::new("hooks.toml"), &text).map_err(|errors| format!("{name}: {errors:?}"))
}

fn attack(path: &str, text: &str) -> Result<Attack, String> {
    Attack::read(path, text).map_err(|e| e.to_string())
}

fn write(dir: &Path, name: &str, attack: &Attack) -> Result<(), String> {
    let bytes = attack.guest.bytes()?;
    std::fs::write(dir.join(format!("{name}.wasm")), bytes).map_err(|e| e.to_string())
}
