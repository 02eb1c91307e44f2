//! The hooks of a crowd: one guard, and every hook of the kit that can be beside it.

use std::path::Path;

use portcullis::hooks::CacheChoice;
use portcullis::settings::{HookSettings, Settings};
use portcullis::{Hooks, LoadOptions};

use super::GUARD;
use crate::attack::{Attack, Expected, Place};
use crate::list;
use crate::options::Options;

/// The guard of all sessions.
const GUARD_TEXT: &str = ";; what = \"Continues.\"\n;; id = \"guard\"\n;; point = \"pre-tool-call\"\n(func $attack (type $handle) (i32.const 0))";

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
    _dir: tempfile::TempDir,
}

impl Crowd {
    pub(super) fn load(options: &Options) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let hooks = dir.path().join("hooks");
        std::fs::create_dir(&hooks).map_err(|e| e.to_string())?;
        let mut settings = Settings::default();
        settings.engine.clone_from(&options.engine);
        settings.defaults.clone_from(&options.defaults);
        // A component in quarantine is not called, and so not hostile.
        settings.quarantine.failures = u32::MAX;
        settings
            .hooks
            .insert(GUARD.to_owned(), HookSettings::default());
        write(&hooks, GUARD, &attack(GUARD, GUARD_TEXT)?)?;
        let mut kinds = Vec::new();
        for (path, text) in list::files() {
            let turn = u32::try_from(kinds.len() + 1).map_err(|e| e.to_string())?;
            let Some((attack, said)) = hostile(path, text, turn)? else {
                continue;
            };
            settings.hooks.extend(said.hooks);
            // The operator named it, so it may do what it imports.
            settings.hooks.entry(attack.name.clone()).or_default();
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
            _dir: dir,
        })
    }
}

/// An attack under an id of its own, hostile in one turn, if it can be beside others: it loads with
/// settings of its own hook alone, and is hostile in no other call.
fn hostile(path: &str, text: &str, turn: u32) -> Result<Option<(Attack, Settings)>, String> {
    let known = attack(path, text)?;
    let header = &known.header;
    let always = text.contains("(export \"handle\")") || text.contains("(export \"describe\")");
    let alone = ["[engine]", "[defaults", "[integrity]"];
    if header.expected == Expected::LoadRefused
        || header.place != Place::AsItIs
        || header.raw
        || header.bytes.is_some()
        || !header.healthy
        || header.id != "hostile"
        || header.point == "pre-tool-call"
        || header.also.is_some()
        || !header.directories.is_empty()
        || always
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
