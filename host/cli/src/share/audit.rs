//! `portcullis audit`

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::{Lock, Origin, Pinned};
use portcullis::points::AnswerKind;
use portcullis::report::HookReport;
use portcullis::settings::Trust;
use portcullis::verdict::Digest;
use portcullis_registry::{Fetcher, Signer, Source};
use portcullis_store::RunFilter;
use serde::Serialize;

use crate::hooks::trust::files;
use crate::hooks::{CacheArgs, HooksDir};
use crate::runtime;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::progress::Waiting;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};
use crate::terminal::{Out, Printable, json};

/// The most runs of a hook that are read, the newest ones.
const MOST_RUNS: u32 = 100_000;

/// What repairs a failed model call: the journal does not tell these apart.
const REPAIRS: [AnswerKind; 3] = [
    AnswerKind::Retry,
    AnswerKind::SwitchProvider,
    AnswerKind::GiveUp,
];

/// Find hooks that are unsigned, changed, outdated or revoked, and what they may do and did not.
///
/// The source of each hook in hooks.lock is asked for its current version, unless --offline is given. What a hook
/// serves and may answer is compared with its runs in the journal; what it reads while it runs is not recorded there.
/// Exit code 0: nothing was found; 1: something was.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis audit --hooks ./hooks\n  \
    portcullis audit --offline --revoked revoked.txt --days 90")]
pub struct AuditArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    store: Where,
    /// A list of digests that are revoked, of components or manifests: a file or https://…, with one at the beginning
    /// of each line.
    #[arg(long, value_name = "FILE|URL")]
    revoked: Option<Source>,
    /// Ask no source for its current version.
    #[arg(long)]
    offline: bool,
    /// How many days of the journal count.
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    days: u32,
    /// Print JSON: a list of what was found.
    #[arg(long)]
    json: bool,
}

/// What was found of a hook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Finding {
    hook: String,
    kind: Kind,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Revoked,
    Unsigned,
    Changed,
    Outdated,
    NotReached,
    Unused,
}

/// Runs the command.
pub fn run(args: &AuditArgs) -> anyhow::Result<ExitCode> {
    let lock = files::lock(&args.dir.hooks)?.unwrap_or_default();
    let trust = files::settings(&args.dir.hooks)?.trust;
    let mut found = signatures(&lock, &trust)?;
    found.extend(not_locked(args, &lock)?);
    found.extend(fetched(args, &lock)?);
    found.extend(unused(args, &lock)?);
    found.sort_by(|one, other| one.hook.cmp(&other.hook));
    if args.json {
        json::document(&found)?;
    } else {
        show(&lock, &found)?;
    }
    Ok(match found.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn finding(pinned: &Pinned, kind: Kind, message: String) -> Finding {
    Finding {
        hook: pinned.id.clone(),
        kind,
        message,
    }
}

fn signatures(lock: &Lock, trust: &Trust) -> anyhow::Result<Vec<Finding>> {
    let named = signers(trust)?;
    let unsigned = lock.components.values().filter_map(|pinned| {
        let message = match &pinned.origin {
            Some(Origin { signer: Some(signer), .. }) if named.contains(signer) => return None,
            Some(Origin { signer: Some(signer), .. }) => {
                format!("it was signed by `{signer}`, whom [trust] in hooks.toml does not name")
            }
            Some(origin) => {
                format!("it was added from {} without a signature that counts", origin.source)
            }
            None => "it was not added with `portcullis add`, so that its source and its signer are not known".to_owned(),
        };
        Some(finding(pinned, Kind::Unsigned, message))
    });
    Ok(unsigned.collect())
}

/// All names of those whose signature counts.
fn signers(trust: &Trust) -> anyhow::Result<BTreeSet<String>> {
    let mut names: BTreeSet<String> = trust.identities.keys().cloned().collect();
    for (name, file) in &trust.keys {
        names.extend(Signer::key(name, file)?.key_name());
        names.insert(name.clone());
    }
    Ok(names)
}

/// The components that the lock does not name.
fn not_locked(args: &AuditArgs, lock: &Lock) -> anyhow::Result<Vec<Finding>> {
    let dir = &args.dir.hooks;
    let entries = std::fs::read_dir(dir);
    let entries = entries.with_context(|| format!("{} cannot be read", dir.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".wasm") && !lock.components.contains_key(&name) {
            found.push(Finding {
                hook: name,
                kind: Kind::Unsigned,
                message:
                    "hooks.lock does not name it, so that its source and its signer are not known"
                        .into(),
            });
        }
    }
    Ok(found)
}

/// What the files, the sources and the list of revoked digests say.
fn fetched(args: &AuditArgs, lock: &Lock) -> anyhow::Result<Vec<Finding>> {
    let fetcher = Fetcher::new()?;
    let runtime = runtime::start()?;
    let mut found = Vec::new();
    if let Some(list) = &args.revoked {
        let text = runtime.block_on(fetcher.text(list))?;
        let revoked = digests(&text).with_context(|| list.to_string())?;
        for pinned in lock.components.values() {
            let manifest = pinned.origin.as_ref().and_then(|origin| origin.manifest);
            if revoked.contains(&pinned.sha256.to_string())
                || manifest.is_some_and(|manifest| revoked.contains(&manifest.to_string()))
            {
                let message = format!(
                    "{list} revokes it; remove it: portcullis remove {}",
                    pinned.id
                );
                found.push(finding(pinned, Kind::Revoked, message));
            }
        }
    }
    for (name, pinned) in &lock.components {
        let file = Source::File(args.dir.hooks.join(name));
        let message = match runtime.block_on(fetcher.digest(&file)) {
            Ok(digest) if digest == pinned.sha256 => continue,
            Ok(_) => format!("{file} is not the component that hooks.lock pins"),
            Err(error) => error.to_string(),
        };
        found.push(finding(pinned, Kind::Changed, message));
    }
    if args.offline {
        return Ok(found);
    }
    for pinned in lock.components.values() {
        let Some(origin) = &pinned.origin else {
            continue;
        };
        let source: Source = origin.source.parse()?;
        let bar = Waiting::new(format!("asking {source}").as_str());
        let current = runtime.block_on(fetcher.digest(&source.moving()));
        drop(bar);
        let message = match current {
            Ok(current) if current == origin.manifest.unwrap_or(pinned.sha256) => continue,
            Ok(_) => format!(
                "{} leads to another version; see what is different: portcullis update --dry-run {}",
                source.moving(),
                pinned.id
            ),
            Err(error) => format!("its current version is not known: {error}"),
        };
        found.push(finding(pinned, Kind::Outdated, message));
    }
    Ok(found)
}

/// The digests at the beginnings of lines. What is no digest is an error: a mistake would leave a hook unrevoked.
fn digests(text: &str) -> anyhow::Result<BTreeSet<String>> {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let digests = lines.map(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        let hex = word.strip_prefix("sha256:").unwrap_or(word);
        let digest: Result<Digest, String> = hex.parse();
        digest.map(|digest| digest.to_string()).map_err(|why| {
            anyhow::anyhow!("`{}`: {why}", portcullis::text::sanitize_for_terminal(word))
        })
    });
    digests.collect()
}

/// What hooks serve and may answer, and did not.
fn unused(args: &AuditArgs, lock: &Lock) -> anyhow::Result<Vec<Finding>> {
    let store = match args.store.open() {
        Ok(store) => store,
        Err(error) => {
            let mut out = Out::stderr();
            print_line!(
                out,
                "{NOTE}note:{NOTE:#} what was used is not known: {}",
                Printable::line(format!("{error:#}"))
            )?;
            return Ok(Vec::new());
        }
    };
    let journal = store.journal()?;
    let settings = files::settings(&args.dir.hooks)?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let since = now.saturating_sub(Duration::from_secs(u64::from(args.days) * 86_400));
    let since = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let options = LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        ..LoadOptions::default()
    };
    let mut found = Vec::new();
    let is_there = |name: &String| args.dir.hooks.join(name).is_file();
    for (name, pinned) in lock.components.iter().filter(|(name, _)| is_there(name)) {
        let runs = journal.runs(&RunFilter {
            hook: Some(pinned.id.clone()),
            newest_first: true,
            limit: MOST_RUNS,
            ..RunFilter::default()
        })?;
        let runs = runs.iter().filter(|run| run.row.started_ms >= since);
        let (mut points, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
        for run in runs {
            points.insert(run.row.point.clone());
            outcomes.extend(run.end.outcome.clone());
        }
        let report = inspect(&args.dir.hooks.join(name), &settings, &options)?;
        found.extend(idle(args.days, pinned, &report, &points, &outcomes));
    }
    Ok(found)
}

fn idle(
    days: u32,
    pinned: &Pinned,
    report: &HookReport,
    points: &BTreeSet<String>,
    outcomes: &BTreeSet<String>,
) -> Vec<Finding> {
    if points.is_empty() {
        let message = format!("the journal has no run of it in {days} days");
        return vec![finding(pinned, Kind::NotReached, message)];
    }
    let mut found = Vec::new();
    let served = report.points.iter().map(|point| point.name());
    let idle: Vec<&str> = served.filter(|point| !points.contains(*point)).collect();
    if !idle.is_empty() {
        let message = format!("it did not run in {days} days at: {}", idle.join(", "));
        found.push(finding(pinned, Kind::NotReached, message));
    }
    let kinds: BTreeSet<&str> = report
        .answers
        .values()
        .flatten()
        .filter(|kind| kind.contribution().is_none() && !REPAIRS.contains(kind))
        .map(|kind| kind.name())
        .collect();
    let unused: Vec<&str> = kinds
        .into_iter()
        .filter(|kind| !outcomes.contains(*kind))
        .collect();
    if !unused.is_empty() {
        let message = format!(
            "it may answer what it did not in {days} days: {}; leave it out of `answers` in [hooks.{}.grants] if it \
             never has to",
            unused.join(", "),
            pinned.id
        );
        found.push(finding(pinned, Kind::Unused, message));
    }
    found
}

fn show(lock: &Lock, found: &[Finding]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let ids = lock.components.values().map(|pinned| pinned.id.as_str());
    let ids: BTreeSet<&str> = ids
        .chain(found.iter().map(|one| one.hook.as_str()))
        .collect();
    for id in ids {
        let mut own = found.iter().filter(|finding| finding.hook == id).peekable();
        match own.peek() {
            None => print_line!(out, "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#}", Printable::line(id))?,
            Some(_) => print_line!(out, "{NOTE}!{NOTE:#} {BOLD}{}{BOLD:#}", Printable::line(id))?,
        }
        for finding in own {
            let kind = format!("{:?}", finding.kind).to_ascii_lowercase();
            print_line!(
                out,
                "    {DIM}{}{DIM:#} {}",
                kind,
                Printable::line(&finding.message)
            )?;
        }
    }
    Ok(())
}
