//! The hooks of a crowd: one guard, every hook of the kit that can be beside it, and the files of the kit
//! that do not load.

use std::path::{Path, PathBuf};

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

/// The name of the hooks directory.
const HOOKS: &str = "hooks";

/// A hostile hook of the crowd.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub(super) id: String,
    pub(super) point: String,
    /// The turn in which it is hostile.
    pub(super) turn: u32,
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
        // A component in quarantine is not called, and so not hostile.
        settings.quarantine.failures = u32::MAX;
        // A hostile file may do whatever it asks for, once it loads.
        settings.unnamed = Unnamed::trusted();
        // Behind all hostile hooks, so that each of them can do something to it.
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
            let Some((attack, said)) = hostile(&known, path, text, turn)? else {
                continue;
            };
            settings.hooks.extend(said.hooks);
            // The operator named it, so it may do what it imports.
            let own = settings.hooks.entry(attack.name.clone()).or_default();
            if is_always_hostile(&known, text) {
                // It would end the calls of the others that serve its point.
                own.failure = Some(FailurePolicy::FailOpen);
                own.priority = Some(i32::MAX);
            }
            write(&hooks, &attack.name, &attack)?;
            kinds.push(Kind {
                id: attack.name,
                point: attack.header.point,
                turn,
            });
        }
        let loading = LoadOptions {
            cache: CacheChoice::None,
            compiler: options.compiler.clone(),
            ..LoadOptions::default()
        };
        let hooks = Hooks::load_with(&hooks, &settings, &loading).map_err(|e| e.to_string())?;
        Ok(Self {
            hooks,
            kinds,
            files,
            dir,
        })
    }

    /// The hooks directory.
    pub(super) fn dir(&self) -> PathBuf {
        self.dir.path().join(HOOKS)
    }
}

/// A file that does not load and can be put beside the others while they run. Settings are not read
/// again, and what changes while it is loaded is for the kit's own rows.
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
        // Refused beside the healthy hooks of the kit, which are not here.
        || header.id != "hostile";
    match elsewhere {
        true => Ok(None),
        false => Ok(Some((header.place, known.guest.bytes()?))),
    }
}

/// Whether it is hostile in every call at its point, whatever the turn.
fn is_always_hostile(known: &Attack, text: &str) -> bool {
    !known.header.healthy
        || text.contains("(export \"handle\")")
        || text.contains("(export \"describe\")")
}

/// An attack under an id of its own, hostile in one turn, if it can be beside others: it loads with
/// settings of its own hook alone, and where the guard is called it is hostile in no other turn.
fn hostile(
    known: &Attack,
    path: &str,
    text: &str,
    turn: u32,
) -> Result<Option<(Attack, Settings)>, String> {
    let header = &known.header;
    let alone = ["[engine]", "[defaults", "[integrity]"];
    if header.place != Place::AsItIs
        || header.raw
        || header.bytes.is_some()
        || header.id != "hostile"
        || header.also.is_some()
        || !header.directories.is_empty()
        || (header.point == GUARD_POINT && is_always_hostile(known, text))
        || alone.iter().any(|table| header.settings.contains(table))
    {
        return Ok(None);
    }
    let name = &known.name;
    let said = header
        .settings
        .replace("hooks.hostile", &format!("hooks.{name}"));
    let said = Settings::parse(Path::new("hooks.toml"), &said)
        .map_err(|errors| format!("{name}: {errors:?}"))?;
    let text = format!(";; id = \"{name}\"\n;; turn = {turn}\n{text}");
    Ok(Some((attack(path, &text)?, said)))
}

fn attack(path: &str, text: &str) -> Result<Attack, String> {
    Attack::read(path, text).map_err(|e| e.to_string())
}

fn write(dir: &Path, name: &str, attack: &Attack) -> Result<(), String> {
    let bytes = attack.guest.bytes()?;
    std::fs::write(dir.join(format!("{name}.wasm")), bytes).map_err(|e| e.to_string())
}
