//! Updating one hook.

use std::path::PathBuf;

use anyhow::bail;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::Origin;
use portcullis::settings::Settings;
use portcullis_registry::{Policy, Source};
use serde::Serialize;

use super::installed::AddedHook;
use super::{UpdateArgs, refusals};
use crate::hooks::trust::{Arrival, NOTHING, Plan, Target, show};
use crate::share::difference::{self, Difference};
use crate::share::verdicts::{self, Verdicts, Version};
use crate::share::{fetch, origin};
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, agrees};

/// The result, for machines.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Updated {
    id: String,
    /// The source of the installed version; none if the hook was not added.
    from: Option<Origin>,
    to: Option<Origin>,
    is_new: bool,
    differences: Vec<Difference>,
    verdicts: Option<Verdicts>,
    /// The lines that are new in `hooks.toml`.
    lines: Vec<String>,
    written: bool,
    /// The reason why it was not updated.
    error: Option<String>,
}

impl Updated {
    pub fn failed(id: String, from: Option<Origin>, error: &anyhow::Error) -> Self {
        Self {
            id,
            from,
            to: None,
            is_new: false,
            differences: Vec::new(),
            verdicts: None,
            lines: Vec::new(),
            written: false,
            error: Some(format!("{error:#}")),
        }
    }

    /// Returns whether the hook is current, or would be without `--dry-run` or `--json`.
    pub fn is_done(&self, args: &UpdateArgs) -> bool {
        let is_current = self.written || !self.is_new || args.dry_run || args.json;
        self.error.is_none() && is_current
    }
}

/// Updates one hook.
pub fn update(args: &UpdateArgs, settings: &Settings, old: &AddedHook) -> anyhow::Result<Updated> {
    let dir = &args.dir.hooks;
    let file = old.file(dir)?;
    let source = match &args.to {
        Some(source) => fetch::absolute(source)?,
        None => old.origin.source.parse::<Source>()?.moving(),
    };
    let known = &args.known;
    let policy = |source: &Source| {
        let policy = Policy::of(&settings.trust, source, known.key.as_deref())?;
        // The component may have several signers.
        Ok(policy.first(|signer| refusals::is_expected(args, old, signer)))
    };
    let checked = fetch::under(policy, &source, known.digest)?;
    let mut result = Updated {
        id: old.pinned.id.clone(),
        from: Some(old.origin.clone()),
        to: Some(checked.origin()),
        is_new: checked.fetched.digest != old.pinned.sha256
            || refusals::is_known_otherwise(args, old, &checked),
        differences: Vec::new(),
        verdicts: None,
        lines: Vec::new(),
        written: false,
        error: None,
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
        return Ok(result);
    }
    refusals::same_signer(args, old, &checked)?;
    let before = inspect(&file, settings, &options(args))?;
    if before.digest != old.pinned.sha256 {
        bail!(
            "{} was changed while it was read; run the command again",
            file.display()
        );
    }
    let arrival = Arrival::stage(
        checked.fetched.bytes.clone(),
        checked.origin(),
        Some(old.pinned.sha256),
    )?;
    let staged = arrival.file();
    let after = inspect(&staged, settings, &options(args));
    let after = after.map_err(|error| arrival.named(error))?;
    if after.id != before.id {
        bail!(
            "{} has the id `{}`, and the hook that it would replace is `{}`; add it as another hook",
            checked.fetched.source,
            after.id,
            before.id
        );
    }
    refusals::not_older(args, &source, &before, &after)?;
    result.differences = difference::between(
        difference::Version {
            report: &before,
            origin: &old.origin,
        },
        difference::Version {
            report: &after,
            origin: &checked.origin(),
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
    } else if !args.json {
        let usual = usual_cases(args, &old.pinned.id);
        print_line!(out, "\n{BOLD}Verdicts{BOLD:#}")?;
        print_line!(
            out,
            "  not compared: there are no cases in {}; --cases names another directory",
            usual.display()
        )?;
    }
    result.written = agreed(args, &plan)?;
    if result.written {
        plan.write()?;
        if !args.json {
            show::written(&plan)?;
        }
    }
    Ok(result)
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
    let usual = || Some(usual_cases(args, id)).filter(|dir| dir.is_dir());
    args.cases.clone().or_else(usual)
}

/// Returns the directory with the cases of a hook, if there is one.
fn usual_cases(args: &UpdateArgs, id: &str) -> PathBuf {
    args.dir.hooks.join("cases").join(id)
}

fn options(args: &UpdateArgs) -> LoadOptions<'static> {
    LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        ..LoadOptions::default()
    }
}
