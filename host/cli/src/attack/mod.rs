//! `portcullis attack`: hostile hooks against the limits in force.

mod beside;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis::settings::Settings;
use portcullis_attack::{Attack, Options, Row, attacks, check, run as run_attack};

use crate::hooks::trust::files;
use crate::terminal::json;
use crate::terminal::progress::Steps;
use crate::unknown::no_such;

/// The factor on all times. A debug build assembles and checks slowly.
const PATIENCE: u32 = if cfg!(debug_assertions) { 10 } else { 2 };

/// Run hostile hooks against the limits in force, and report each result.
///
/// Every attack is loaded beside healthy hooks, and called twice. It must end with the expected result,
/// within its time and memory; the healthy hooks, the next call and other sessions must not be affected.
/// None of your hooks run, except the one named with --hook. Exit code 0: every result is as expected;
/// 1: some are not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis attack\n  \
    portcullis attack --hooks ./hooks --json\n  \
    portcullis attack --hook ./hooks/path-jail.wasm --only endless-loop")]
pub struct AttackArgs {
    /// Use the limits in this directory's hooks.toml, and its settings for hooks that are not
    /// named, instead of the defaults.
    #[arg(long, value_name = "DIR")]
    hooks: Option<PathBuf>,
    /// Load this hook beside every attack, and check that no attack affects it. Its imports are
    /// granted, unless hooks.toml names it; its answers are ignored.
    #[arg(long, value_name = "FILE")]
    hook: Option<PathBuf>,
    /// Run only the attack with this name, such as `endless-loop` or `cpu::endless-loop`. If no
    /// attack has it, run the attacks whose name contains this, or whose group this is.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// The factor on all times, for slow or busy machines.
    #[arg(long, value_name = "TIMES", default_value_t = PATIENCE,
        value_parser = clap::value_parser!(u32).range(1..=1_000))]
    patience: u32,
    /// Print JSON: a list of rows.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &AttackArgs) -> anyhow::Result<ExitCode> {
    let settings = match &args.hooks {
        Some(dir) if !dir.exists() => bail!(
            "there is no directory {}; name the directory of a hooks.toml",
            dir.display()
        ),
        Some(dir) => files::settings(dir)?,
        None => Settings::default(),
    };
    let chosen = chosen(args.only.as_deref())?;
    let beside = args.hook.as_deref();
    let options = Options {
        beside: beside.map(|file| beside::of(file, &settings)).transpose()?,
        engine: settings.engine,
        defaults: settings.defaults,
        unnamed: settings.unnamed,
        compiler: crate::compiler::child(),
        patience: args.patience,
        ..Options::default()
    };
    if let Err(problem) = check(&options) {
        bail!(problem);
    }
    let rows = all(&chosen, &options);
    match args.json {
        true => json::document(&rows)?,
        false => table::write(&rows)?,
    }
    Ok(match rows.iter().all(|row| row.ok) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn chosen(only: Option<&str>) -> anyhow::Result<Vec<Attack>> {
    let all = attacks()?;
    let Some(only) = only else {
        return Ok(all);
    };
    let mut names: Vec<String> = all.iter().map(|attack| attack.category.clone()).collect();
    names.dedup();
    names.extend(all.iter().map(|attack| attack.name.clone()));
    let is_named = |attack: &Attack| {
        attack.name == only || format!("{}::{}", attack.category, attack.name) == only
    };
    let fits = |attack: &Attack| attack.category == only || attack.name.contains(only);
    let chosen: Vec<Attack> = match all.iter().any(is_named) {
        true => all.into_iter().filter(is_named).collect(),
        false => all.into_iter().filter(fits).collect(),
    };
    if chosen.is_empty() {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bail!("{}", no_such("attack or group", only, &names));
    }
    Ok(chosen)
}

fn all(attacks: &[Attack], options: &Options) -> Vec<Row> {
    let steps = Steps::new("attacking", attacks.len());
    attacks
        .iter()
        .map(|attack| {
            steps.next(&attack.name);
            run_attack(attack, options)
        })
        .collect()
}
