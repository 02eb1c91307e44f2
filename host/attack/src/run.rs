//! Runs one attack, from an empty directory to its row.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use portcullis::hooks::{CacheChoice, HooksError};
use portcullis::limits::Limits;
use portcullis::reload::Reload;
use portcullis::settings::Settings;
use portcullis::{Hooks, LoadOptions};

use crate::attack::{Attack, Expected, Place};
use crate::fault;
use crate::guest::Guest;
use crate::judge;
use crate::list;
use crate::memory::Peak;
use crate::options::Options;
use crate::place;
use crate::play;
use crate::row::Row;
use crate::watch::is_harmful;

/// The least memory of a compiled module: its data and its stack.
const PAGES_OF_A_MODULE: u32 = 8;
/// The number of times that a changing file is loaded.
const LOADS: usize = 8;

/// Runs one attack.
///
/// The attack runs on a separate thread, so that neither a panic nor a hang affects the caller. A thread
/// that hangs is abandoned.
pub fn run(attack: &Attack, options: &Options) -> Row {
    let (done, row) = mpsc::channel();
    let started = std::thread::Builder::new().name("attack".into()).spawn({
        let (attack, options) = (attack.clone(), options.clone());
        move || {
            let row = Attempt::new(&attack, &options).run();
            // The receiver is gone if the row hung too long.
            let _ = done.send(row);
        }
    });
    let got = match started {
        Err(_) => "not-run",
        Ok(_) => match row.recv_timeout(options.hangs_after * options.patience) {
            Ok(row) => return row,
            Err(mpsc::RecvTimeoutError::Timeout) => "hung",
            Err(mpsc::RecvTimeoutError::Disconnected) => "crashed",
        },
    };
    let mut row = empty(attack);
    row.got = got.into();
    row.faults.push(format!("the host {got}"));
    row
}

/// Checks that the healthy hooks, with the user's own, work without an attack.
///
/// # Errors
///
/// The faults of the hooks.
pub fn check(options: &Options) -> Result<(), String> {
    let nobody = Attack::read(
        "(nobody)/(nobody)",
        ";; what = \"Does nothing.\"\n;; expected = \"survived\"\n(func $attack (type $handle) (i32.const 0))",
    )
    .map_err(|e| e.to_string())?;
    let row = run(&nobody, options);
    match row.ok {
        true => Ok(()),
        false => Err(format!("without any attack: {}", row.faults.join("; "))),
    }
}

fn empty(attack: &Attack) -> Row {
    Row {
        name: attack.name.clone(),
        category: attack.category.clone(),
        what: attack.header.what.clone(),
        expected: attack.header.expected,
        got: String::new(),
        cause: None,
        micros: 0,
        most_micros: 0,
        memory: None,
        ok: false,
        faults: Vec::new(),
    }
}

/// A running attack.
struct Attempt<'a> {
    attack: &'a Attack,
    options: &'a Options,
    row: Row,
}

impl<'a> Attempt<'a> {
    fn new(attack: &'a Attack, options: &'a Options) -> Self {
        Self {
            attack,
            options,
            row: empty(attack),
        }
    }

    fn run(mut self) -> Row {
        if let Err(problem) = self.attempt() {
            self.row.got = "not-run".into();
            self.row.faults.push(problem);
        }
        self.row
    }

    /// Runs it. An error is a bug in the kit: the host was not called.
    fn attempt(&mut self) -> Result<(), String> {
        let said = |e: std::io::Error| e.to_string();
        let dir = tempfile::tempdir().map_err(said)?;
        let hooks = dir.path().join("hooks");
        std::fs::create_dir(&hooks).map_err(said)?;
        let cache = CacheChoice::Dir(dir.path().join("cache"));
        for (name, guest) in list::healthy().map_err(|e| e.to_string())? {
            std::fs::write(hooks.join(format!("{name}.wasm")), guest.bytes()?).map_err(said)?;
        }
        if let Some(beside) = &self.options.beside {
            std::fs::copy(&beside.file, hooks.join("beside.wasm")).map_err(said)?;
        }
        let healthy = self.load(&hooks, &self.settings(None), &cache);
        let healthy = healthy.map_err(|e| format!("the healthy hooks do not load: {e}"))?;
        let bytes = self.attack.guest.bytes()?;
        place::furnish(&hooks, &self.attack.header).map_err(said)?;
        if !place::put(&hooks, self.attack.header.place, &bytes).map_err(said)? {
            return Err("it cannot be put into a directory on this machine".into());
        }
        match self.attack.header.place {
            Place::Changing | Place::LinkSwapped => self.changing(&hooks, &bytes)?,
            Place::CacheOfAnother => {
                let theirs = dir.path().join("theirs");
                place::of_another(&theirs).map_err(said)?;
                self.still(&hooks, &CacheChoice::Dir(theirs.join("cache")))?;
            }
            Place::AfterARemovedOne => self.after_a_removed_one(&hooks, &bytes)?,
            place if place.is_settings() && place != Place::Nowhere => self.settings_file(&hooks),
            _ => self.still(&hooks, &cache)?,
        }
        // In any case, the healthy hooks must be unchanged, and load again.
        place::take_away(&hooks);
        play::healthy(&healthy, &mut self.row)?;
        let again = self.load(&hooks, &self.settings(None), &cache);
        let again = again.map_err(|e| format!("the healthy hooks do not load again: {e}"))?;
        play::healthy(&again, &mut self.row)?;
        judge::judge(&self.attack.header, &mut self.row);
        Ok(())
    }

    /// Runs the attack of a file that does not change.
    fn still(&mut self, hooks: &Path, cache: &CacheChoice) -> Result<(), String> {
        let header = &self.attack.header;
        let said = Settings::parse(Path::new("hooks.toml"), &header.settings);
        let settings = match said {
            Ok(said) => self.settings(Some(said)),
            Err(wrong) => {
                let errors = HooksError::Load(wrong.into());
                self.refused(&errors, Duration::ZERO);
                return Ok(());
            }
        };
        let peak = Peak::begin();
        let started = std::time::Instant::now();
        let loaded = self.load(hooks, &settings, cache);
        let took = started.elapsed();
        self.row.memory = peak.and_then(Peak::grown);
        match loaded {
            Ok(loaded) => {
                let limits = in_force(&settings, &header.id);
                let patience = self.options.patience;
                self.row.most_micros = micros(judge::most(header, &limits, patience));
                play::play(
                    header,
                    &loaded,
                    &limits,
                    self.options.beside.is_some(),
                    &mut self.row,
                )
            }
            Err(error) => {
                self.refused(&error, took);
                Ok(())
            }
        }
    }

    /// Runs the attack of settings that are read from their file.
    fn settings_file(&mut self, hooks: &Path) {
        let peak = Peak::begin();
        let started = std::time::Instant::now();
        let read = Settings::of_dir(hooks);
        let took = started.elapsed();
        self.row.memory = peak.and_then(Peak::grown);
        match read {
            Ok(_) => self.row.got = Expected::Survived.name().into(),
            Err(wrong) => self.refused(&HooksError::Load(wrong.into()), took),
        }
    }

    fn refused(&mut self, error: &HooksError, took: Duration) {
        let header = &self.attack.header;
        let limits = &self.options.defaults.limits;
        self.row.most_micros = micros(judge::most(header, limits, self.options.patience));
        self.row.micros = micros(took);
        self.row.got = Expected::LoadRefused.name().into();
        self.row.cause = Some(fault::code(error));
        let HooksError::Load(errors) = error else {
            return;
        };
        for error in &errors.0 {
            let text = error.to_string();
            if is_harmful(&text) {
                self.row
                    .faults
                    .push(format!("the error is told as {text:?}"));
            }
        }
    }

    /// Runs the attack of a file that changes while it is loaded: only the checked bytes may load.
    fn changing(&mut self, hooks: &Path, bytes: &[u8]) -> Result<(), String> {
        let header = &self.attack.header;
        let settings = self.settings(None);
        let whole = portcullis::verdict::Digest::of(bytes);
        let stop = std::sync::atomic::AtomicBool::new(false);
        let order = std::sync::atomic::Ordering::Relaxed;
        let started = std::time::Instant::now();
        let mut faults = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut round = 0;
                while !stop.load(order) {
                    round += 1;
                    // The file may be gone already.
                    let _ = place::change(hooks, header.place, bytes, round);
                }
            });
            for _ in 0..LOADS {
                if let Ok(loaded) = self.load(hooks, &settings, &CacheChoice::None) {
                    let reports = loaded.reports();
                    let mut hostile = reports.iter().filter(|r| r.id.as_str() == header.id);
                    if header.place == Place::LinkSwapped && hostile.next().is_some() {
                        faults.push("a link was followed".to_owned());
                    }
                    if hostile.any(|report| report.digest != whole) {
                        faults.push("what was loaded is not what was checked".to_owned());
                    }
                }
            }
            stop.store(true, order);
        });
        self.row.got = Expected::Survived.name().into();
        self.row.micros = micros(started.elapsed()) / LOADS as u64;
        self.row.most_micros = micros(judge::most(
            header,
            &settings.defaults.limits,
            self.options.patience,
        ));
        self.row.faults.extend(faults);
        Ok(())
    }

    /// Runs the attack of a file whose hook has the id of a removed hook that ran.
    fn after_a_removed_one(&mut self, hooks: &Path, bytes: &[u8]) -> Result<(), String> {
        let said = |e: std::io::Error| e.to_string();
        place::take_away(hooks);
        place::put_other(hooks, bytes).map_err(said)?;
        let settings = self.settings(Some(Settings::default()));
        let loaded = self.load(hooks, &settings, &CacheChoice::None);
        let loaded = loaded.map_err(|e| format!("the first file does not load: {e}"))?;
        place::take_away(hooks);
        if !matches!(loaded.reload(), Reload::Done(_)) {
            return Err("the first file was not removed".into());
        }
        place::put(hooks, self.attack.header.place, bytes).map_err(said)?;
        let started = std::time::Instant::now();
        match loaded.reload() {
            Reload::Refused(errors) => self.refused(&HooksError::Load(errors), started.elapsed()),
            _ => self.row.got = Expected::Survived.name().into(),
        }
        Ok(())
    }

    /// Returns the settings in force, with those of the hostile hook.
    fn settings(&self, said: Option<Settings>) -> Settings {
        let mut settings = Settings::default();
        settings.engine.clone_from(&self.options.engine);
        settings.defaults.clone_from(&self.options.defaults);
        settings.unnamed.clone_from(&self.options.unnamed);
        if let Some(said) = said {
            if self.attack.header.settings.contains("[engine]") {
                settings.engine = said.engine;
            }
            if self.attack.header.settings.contains("[defaults") {
                settings.defaults = said.defaults;
            }
            settings.hooks = said.hooks;
            let header = &self.attack.header;
            if header.named && header.place != Place::Nowhere {
                settings.hooks.entry(header.id.clone()).or_default();
            }
        }
        for (name, _) in list::HEALTHY {
            settings.hooks.entry((*name).to_owned()).or_default();
        }
        if let Some(beside) = &self.options.beside {
            let mut own = beside.settings.clone();
            // The hook runs first, and its answers have no effect, so that the attack takes place.
            own.mode = Some(portcullis::hooks::Mode::Audit);
            own.priority = Some(i32::MIN);
            own.after = Some(Vec::new());
            settings.hooks.insert(beside.id.clone(), own);
        }
        settings
    }

    fn load(
        &self,
        dir: &Path,
        settings: &Settings,
        cache: &CacheChoice,
    ) -> Result<Hooks, HooksError> {
        Hooks::load_with(
            dir,
            settings,
            &LoadOptions {
                cache: cache.clone(),
                compiler: self.options.compiler.clone(),
                ..LoadOptions::default()
            },
        )
    }
}

/// Returns the limits of a hook that the kit checks.
fn in_force(settings: &Settings, id: &str) -> Limits {
    let mut limits = settings.defaults.limits.clone();
    if let Some(said) = settings.hooks.get(id).map(|hook| &hook.limits) {
        limits.deadline = said.deadline.unwrap_or(limits.deadline);
        limits.wall = said.wall.unwrap_or(limits.wall);
        limits.log_bytes = said.log_bytes.unwrap_or(limits.log_bytes);
    }
    limits
}

pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Attack {
    /// Returns a component that was built elsewhere, as an attack with this header.
    ///
    /// # Errors
    ///
    /// The header is not valid.
    pub fn of_component(
        path: &str,
        header: &str,
        bytes: Vec<u8>,
    ) -> Result<Self, crate::HeaderError> {
        let mut attack = Self::read(path, header)?;
        attack.guest = Guest::Bytes(bytes);
        Ok(attack)
    }

    /// Returns a core module that was built elsewhere, as a component with this header. It exports
    /// `handle`, and imports its memory from `env`.
    ///
    /// # Errors
    ///
    /// The header is not valid.
    pub fn of_core_module(
        path: &str,
        header: &str,
        module: &[u8],
    ) -> Result<Self, crate::HeaderError> {
        let mut attack = Self::read(path, header)?;
        attack.header.pages = attack.header.pages.max(PAGES_OF_A_MODULE);
        attack.guest =
            Guest::around(&attack.header, module).map_err(|problem| crate::HeaderError {
                name: path.to_owned(),
                problem,
            })?;
        Ok(attack)
    }
}
