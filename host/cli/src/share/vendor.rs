//! `portcullis vendor DIR`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::lock::{LOCK_NAME, Origin, Pinned};
use portcullis_registry::{Beside, Error, Fetched, Policy, Source};

use super::fetch::{self, Checked};
use crate::hooks::HooksDir;
use crate::hooks::trust::files;
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};

/// Write the added hooks into a directory, with the data that their signatures need without a
/// network.
///
/// Each hook is fetched by the digest in hooks.lock and checked as [trust] in hooks.toml requires
/// it. A hook that was added from a file is taken from the hooks directory, with the signature that
/// is still beside that file. `portcullis add DIR/FILE` adds it elsewhere, with the same signature.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis vendor ./vendored --hooks ./hooks")]
pub struct VendorArgs {
    /// The directory to write into.
    #[arg(value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    dir: HooksDir,
    /// The file of the public key (PEM) that must have signed them.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &VendorArgs) -> anyhow::Result<ExitCode> {
    let settings = files::settings(&args.dir.hooks)?;
    let lock = files::lock(&args.dir.hooks)?.unwrap_or_default();
    let mut out = Out::stdout();
    let (mut written, mut left_out) = (0, Vec::new());
    for (name, pinned) in &lock.components {
        let Some(origin) = &pinned.origin else {
            left_out.push(&pinned.id);
            continue;
        };
        let source: Source = origin.source.parse()?;
        let checked = match &source {
            Source::File(from) => {
                let file = args.dir.hooks.join(name);
                locked(&file, from, pinned, |source| {
                    Policy::of(&settings.trust, source, args.key.as_deref())
                })?
            }
            // The source sets the requirements; the pinned version is fetched.
            named => fetch::under(
                |_| Policy::of(&settings.trust, named, args.key.as_deref()),
                &by_digest(source.clone(), origin),
                Some(pinned.sha256),
            )?,
        };
        std::fs::create_dir_all(&args.to)
            .with_context(|| format!("{} cannot be made", args.to.display()))?;
        let file = args.to.join(name);
        let beside = Beside::of(&file);
        // A file from an earlier version would be mistaken for this version's.
        put(&beside.manifest, checked.fetched.manifest.as_deref())?;
        put(&beside.bundle, checked.accepted.bundle.as_deref())?;
        put(&file, Some(&checked.fetched.bytes))?;
        print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}{}{DIM:#}",
            pinned.id,
            file.display()
        )?;
        written += 1;
    }
    if written == 0 {
        let path = args.dir.hooks.join(LOCK_NAME);
        bail!(
            "{} knows no source of any hook: none was added with `portcullis add`",
            path.display()
        );
    }
    for id in left_out {
        print_line!(
            out,
            "{NOTE}!{NOTE:#} {BOLD}{}{BOLD:#} is left out: it was not added with `portcullis add`",
            id
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the component in the hooks directory that was added from the file `from`, and fails if
/// the lock does not pin it.
fn locked(
    file: &Path,
    from: &Path,
    pinned: &Pinned,
    policy: impl FnOnce(&Source) -> Result<Policy, Error>,
) -> anyhow::Result<Checked> {
    let fetched = Fetched::added(file, from)?;
    if fetched.digest != pinned.sha256 {
        bail!(
            "{} is not the component that {LOCK_NAME} pins: its digest is sha256:{}; put that with sha256:{} there, or add \
             this one with `portcullis add`",
            file.display(),
            fetched.digest,
            pinned.sha256
        );
    }
    let source = fetched.source.resolved();
    let source = source.unwrap_or_else(|_| fetched.source.clone());
    let accepted = policy(&source)?.check(&fetched, Some(pinned.sha256))?;
    Ok(Checked { fetched, accepted })
}

/// Returns the source of the installed version, even if its tag has moved.
fn by_digest(source: Source, origin: &Origin) -> Source {
    match (source, origin.manifest) {
        (Source::Oci(reference), Some(manifest)) => {
            Source::Oci(reference.clone_with_digest(format!("sha256:{manifest}")))
        }
        (source, _) => source,
    }
}

fn put(file: &Path, bytes: Option<&[u8]>) -> anyhow::Result<()> {
    let Some(bytes) = bytes else {
        return match std::fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be removed", file.display()))
            }
            _ => Ok(()),
        };
    };
    crate::files::put(file, bytes)
}
