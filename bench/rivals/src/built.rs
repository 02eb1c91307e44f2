//! Builds the guards that are programs: hooks by Portcullis's own tools, the rest by cargo.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use portcullis_bench::hooks::{self, LANGUAGES};
use portcullis_project::Language;

/// The target of every guard in wasm.
const TARGET: &str = "wasm32-wasip2";

/// The built guards.
pub struct Built {
    hooks: HashMap<Language, PathBuf>,
    /// The Extism plug-in.
    pub plugin: PathBuf,
    /// The native process.
    pub process: PathBuf,
}

impl Built {
    /// Builds everything that changed.
    pub fn new(target: &Path) -> anyhow::Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let hooks = LANGUAGES.map(|language| {
            let built = hooks::build(language, &target.join("rivals-hooks"))?;
            Ok((language, built))
        });
        // In a separate directory, like the plug-in: cargo holds the lock of the other while it runs this.
        let parts = target.join("rivals");
        let mut process = cargo(manifest, &parts);
        run(process.args(["--package", "rivals-process"]))?;
        let mut plugin = cargo(manifest, &parts);
        run(plugin.args(["--package", "rivals-extism", "--target", TARGET]))?;
        Ok(Self {
            hooks: hooks.into_iter().collect::<anyhow::Result<_>>()?,
            plugin: parts.join(TARGET).join("release/rivals_extism.wasm"),
            process: parts
                .join("release")
                .join(format!("rivals-process{}", env::consts::EXE_SUFFIX)),
        })
    }

    /// Returns the component of the hook in this language.
    pub fn hook(&self, language: Language) -> anyhow::Result<&Path> {
        let found = self.hooks.get(&language).map(PathBuf::as_path);
        found.with_context(|| format!("there is no hook in {language}"))
    }
}

fn cargo(manifest: &Path, target: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(manifest);
    build.args(["build", "--release", "--quiet", "--target-dir"]);
    build.arg(target);
    build
}

fn run(build: &mut Command) -> anyhow::Result<()> {
    let status = build.status().context("cannot start cargo")?;
    match status.success() {
        true => Ok(()),
        false => bail!("cargo ended with {status}"),
    }
}
