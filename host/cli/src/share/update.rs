//! `portcullis update [ID…]`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::{LOCK_NAME, Origin, Pinned};
use portcullis::report::HookReport;
use portcullis::settings::Settings;
use portcullis_registry::{Policy, Source};
use serde::Serialize;

use super::difference::{self, Difference};
use super::fetch::{self, Checked, Known};
use super::origin;
use super::verdicts::{self, Verdicts, Version};
use crate::hooks::trust::{Arrival, Extra, NOTHING, Plan, Target, files, show};
use crate::hooks::{CacheArgs, HooksDir};
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, agrees, json};

/// Fetch the current versions of hooks that were added, show what is different, ask, and replace them.
///
/// The source is that in hooks.lock: a tag may lead to another component by now. The new one is checked as by
/// `portcullis add`; one that is older, not signed or signed by another does not replace one that was. What is different in its points,
/// imports, reach, configuration and limits is shown, and what both versions answer in the cases. Without a terminal
/// nothing is written, unless --yes is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis update --dry-run --hooks ./hooks\n  \
    portcullis update word-filter --cases ./cases/word-filter"
)]
pub struct UpdateArgs {
    /// The hooks, by id [default: all that were added].
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Update to this source in place of the hook's own, such as another tag.
    #[arg(long, value_name = "SOURCE")]
    to: Option<Source>,
    /// Take a version that this signer signed, by the name in hooks.toml, where another one signed the version that is
    /// there.
    #[arg(long, value_name = "NAME")]
    signer: Option<String>,
    /// The directory with the cases of the hook [default: cases/ID in the hooks directory, if there is one].
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    #[command(flatten)]
    known: Known,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    extra: Extra,
    /// Show what is different, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Write without asking.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Print JSON: a list of the hooks, with what is different. Nothing is written, unless --yes is given.
    #[arg(long)]
    json: bool,
}

/// A hook that was added.
struct Installed {
    name: String,
    pinned: Pinned,
    origin: Origin,
}

/// The result, for machines.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Updated {
    id: String,
    from: Origin,
    to: Origin,
    is_new: bool,
    differences: Vec<Difference>,
    verdicts: Option<Verdicts>,
    /// The lines that are new in `hooks.toml`.
    lines: Vec<String>,
    written: bool,
}

/// Runs the command.
pub fn run(args: &UpdateArgs) -> anyhow::Result<ExitCode> {
    let settings = files::settings(&args.dir.hooks)?;
    let chosen = chosen(args)?;
    if chosen.len() != 1
        && (args.to.is_some() || args.known.digest.is_some() || args.cases.is_some())
    {
        bail!("--to, --digest and --cases are for one hook; name it");
    }
    let mut all_done = true;
    let mut results = Vec::new();
    for installed in &chosen {
        let (result, done) = one(args, &settings, installed)?;
        results.push(result);
        all_done &= done;
    }
    if args.json {
        json::document(&results)?;
    }
    Ok(match all_done {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn chosen(args: &UpdateArgs) -> anyhow::Result<Vec<Installed>> {
    let lock = files::lock(&args.dir.hooks)?.unwrap_or_default();
    let added = lock.components.into_iter().filter_map(|(name, pinned)| {
        let origin = pinned.origin.clone()?;
        Some(Installed {
            name,
            pinned,
            origin,
        })
    });
    let mut added: Vec<Installed> = added.collect();
    let path = args.dir.hooks.join(LOCK_NAME);
    for id in &args.ids {
        if !added.iter().any(|one| &one.pinned.id == id) {
            let ids = added.iter().map(|one| one.pinned.id.as_str());
            let hint = match portcullis::text::nearest(id, ids) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => ": it was not added with `portcullis add`".to_owned(),
            };
            bail!("{} knows no source of `{id}`{hint}", path.display());
        }
    }
    if added.is_empty() {
        bail!(
            "{} knows no source of any hook: none was added with `portcullis add`",
            path.display()
        );
    }
    if !args.ids.is_empty() {
        added.retain(|one| args.ids.contains(&one.pinned.id));
    }
    Ok(added)
}

/// Updates one hook. Says whether it is the current version now.
fn one(args: &UpdateArgs, settings: &Settings, old: &Installed) -> anyhow::Result<(Updated, bool)> {
    let source = match &args.to {
        Some(source) => fetch::absolute(source)?,
        None => old.origin.source.parse::<Source>()?.moving(),
    };
    let known = &args.known;
    let mut policy = Policy::of(&settings.trust, &source, known.key.as_deref())?;
    // It may be signed by several.
    if let Some(signer) = args.signer.as_ref().or(old.origin.signer.as_ref()) {
        policy = policy.first(signer);
    }
    let checked = fetch::under(policy, &source, known.digest)?;
    let mut result = Updated {
        id: old.pinned.id.clone(),
        from: old.origin.clone(),
        to: checked.origin(),
        is_new: checked.fetched.digest != old.pinned.sha256
            || is_known_otherwise(args, old, &checked),
        differences: Vec::new(),
        verdicts: None,
        lines: Vec::new(),
        written: false,
    };
    let mut out = Out::stdout();
    if !result.is_new {
        if !args.json {
            print_line!(
                out,
                "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}is the current one{DIM:#}",
                old.pinned.id
            )?;
        }
        return Ok((result, true));
    }
    same_signer(args, old, &checked)?;
    let dir = &args.dir.hooks;
    let file = dir.join(&old.name);
    let before = inspect(&file, settings, &options(args))?;
    // What was agreed to is what the new one is compared with.
    if before.digest != old.pinned.sha256 {
        bail!(
            "{} is not the component that {} pins, so that what is different cannot be shown. Look at the one that is \
             there (portcullis hooks trust {id}), or remove it (portcullis remove {id}) and add it anew",
            file.display(),
            dir.join(LOCK_NAME).display(),
            id = old.pinned.id
        );
    }
    let arrival = Arrival::stage(
        checked.fetched.bytes.clone(),
        checked.origin(),
        Some(old.pinned.sha256),
    )?;
    let staged = arrival.file();
    let after = inspect(&staged, settings, &options(args))?;
    if after.id != before.id {
        bail!(
            "{} has the id `{}`, and the hook that it would replace is `{}`; add it as another hook",
            checked.fetched.source,
            after.id,
            before.id
        );
    }
    not_older(args, &source, &before, &after)?;
    result.differences = difference::between(
        difference::Version {
            report: &before,
            signer: result.from.signer.as_deref(),
        },
        difference::Version {
            report: &after,
            signer: result.to.signer.as_deref(),
        },
    );
    if !args.json {
        print_line!(
            out,
            "\n{BOLD}{}{BOLD:#} {} → {}",
            before.id,
            before.version,
            after.version
        )?;
        origin::write(&mut out, &checked)?;
        print_line!(out, "\n{BOLD}Different{BOLD:#}")?;
        difference::write(&mut out, &result.differences)?;
    }
    let target = Target::arriving(arrival, dir, Some(&old.name), &args.cache)?;
    let plan = Plan::of(target, &args.extra, &args.cache)?;
    result.lines = plan.lines().into_iter().map(str::to_owned).collect();
    if let Some(cases) = cases(args, &old.pinned.id) {
        let old = Version {
            file: &file,
            settings: dir,
        };
        let settings = plan.settings_for_cases(&staged)?;
        let new = Version {
            file: &staged,
            settings: &settings,
        };
        let verdicts = verdicts::compare(&cases, &old, &new, &args.cache)?;
        if !args.json {
            print_line!(out, "\n{BOLD}Verdicts{BOLD:#}")?;
            verdicts::write(&mut out, &verdicts)?;
        }
        result.verdicts = Some(verdicts);
    }
    result.written = agreed(args, &plan)?;
    if result.written {
        plan.write()?;
        if !args.json {
            show::written(&plan)?;
        }
    }
    let done = result.written || args.dry_run || args.json;
    Ok((result, done))
}

/// Whether the same component has another manifest, a signature that counts by now, or another source: then the lock
/// is what is written.
fn is_known_otherwise(args: &UpdateArgs, old: &Installed, checked: &Checked) -> bool {
    let new = checked.origin();
    new.manifest != old.origin.manifest
        || (new.signer.is_some() && new.signer != old.origin.signer)
        || (args.to.is_some() && new.source != old.origin.source)
}

/// What was signed is replaced by what the same signer signed, also where no signature is required.
fn same_signer(args: &UpdateArgs, old: &Installed, checked: &Checked) -> anyhow::Result<()> {
    let Some(was) = &old.origin.signer else {
        return Ok(());
    };
    let source = &checked.fetched.source;
    let Some(now) = &checked.accepted.signer else {
        bail!(
            "{source} is refused: the version that is there was signed by `{was}`, and this one has no signature that \
             counts. Name the key that signed both ([trust.keys] in hooks.toml, or --key FILE); or, if you know \
             that it is the right one, remove the hook and add it anew"
        );
    };
    let expected = args.signer.as_ref().unwrap_or(was);
    if !checked.accepted.is_by(expected) {
        bail!(
            "{source} is refused: the version that is there was signed by `{was}`, and this one by `{now}`. If you \
             know that it is the right one: --signer '{now}'"
        );
    }
    Ok(())
}

/// A tag may be led back to a version with a fault that is known: its signature is still right.
fn not_older(
    args: &UpdateArgs,
    source: &Source,
    before: &HookReport,
    after: &HookReport,
) -> anyhow::Result<()> {
    let version = |report: &HookReport| semver::Version::parse(&report.version);
    if let (Ok(old), Ok(new)) = (version(before), version(after))
        && new < old
        && args.to.is_none()
    {
        bail!(
            "{source} is refused: it leads to version {new}, which is older than {old}, the one that is there. If you \
             want it: --to {source}"
        );
    }
    Ok(())
}

fn agreed(args: &UpdateArgs, plan: &Plan) -> anyhow::Result<bool> {
    if args.json {
        return Ok(args.yes);
    }
    show::lines(plan)?;
    if args.yes || args.dry_run {
        return Ok(args.yes);
    }
    let agreed = agrees(format!("Update {} to this", plan.id()), NOTHING)?;
    if !agreed {
        show::refused()?;
    }
    Ok(agreed)
}

fn cases(args: &UpdateArgs, id: &str) -> Option<PathBuf> {
    let usual =
        || Some(args.dir.hooks.join("cases").join(id)).filter(|dir: &PathBuf| Path::is_dir(dir));
    args.cases.clone().or_else(usual)
}

fn options(args: &UpdateArgs) -> LoadOptions<'static> {
    LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        ..LoadOptions::default()
    }
}
