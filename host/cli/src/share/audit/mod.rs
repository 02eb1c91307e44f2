//! `portcullis audit`

mod files;
mod finding;
mod outdated;
mod revoked;
mod signers;
mod unused;

use std::process::ExitCode;

use clap::Args;
use portcullis::LoadOptions;
use portcullis_registry::{Fetcher, Source};

use crate::hooks::trust::files::{lock, settings};
use crate::hooks::{CacheArgs, HooksDir};
use crate::runtime;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::style::NOTE;
use crate::terminal::{Out, Printable, json};

/// Find hooks that are unsigned, changed, broken, outdated or revoked, and their unused
/// permissions.
///
/// The source of each hook in hooks.lock is asked for its current version, unless --offline is
/// given. A hook's points, answers and grants (servers, secrets, shared namespaces, keys of the
/// agent's state, directories, the agent's model, contributions) are compared with its runs in the
/// journal. For runs that an earlier version recorded, the used grants are not known; while such a
/// run is within the days, no grant is called unused. The journal does not keep whether a hook
/// reads a view, uses its own state or sends an event: a note names the hooks with such grants.
/// Exit code 0: no findings; 1: findings.
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
    /// The days of the journal that count.
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    days: u32,
    /// Print JSON: a list of findings.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &AuditArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let lock = lock(dir)?.unwrap_or_default();
    let settings = settings(dir)?;
    let mut found = signers::unsigned(&lock, &settings.trust);
    found.extend(signers::not_locked(dir, &lock)?);
    let (fetcher, runtime) = (Fetcher::new()?, runtime::start()?);
    if let Some(list) = &args.revoked {
        let text = runtime.block_on(fetcher.text(list))?;
        found.extend(revoked::revoked(&lock, list, &text)?);
    }
    if !args.offline {
        found.extend(outdated::outdated(&lock, &fetcher, &runtime));
    }
    let options = LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        ..LoadOptions::default()
    };
    let installed = files::installed(dir, &lock, &settings, &options, &mut found);
    match unused::unused(args.days, &args.store, &installed) {
        Ok(unused) => {
            found.extend(unused);
            for (grant, hooks) in unused::not_kept(&installed) {
                print_line!(
                    Out::stderr(),
                    "{NOTE}note:{NOTE:#} the journal does not keep whether these hooks use their grant `{}`: {}",
                    grant,
                    Printable::join(&hooks, ", ")
                )?;
            }
        }
        Err(error) => print_line!(
            Out::stderr(),
            "{NOTE}note:{NOTE:#} what was used is not known: {}",
            Printable::line(format!("{error:#}"))
        )?,
    }
    found.sort_by(|one, other| one.hook.cmp(&other.hook));
    match args.json {
        true => json::document(&found)?,
        false => finding::show(&lock, &found)?,
    }
    Ok(match found.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
