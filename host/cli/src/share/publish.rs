//! `portcullis publish PATH oci://…`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::report::HookReport;
use portcullis::settings::Settings;
use portcullis::verdict::Digest;
use portcullis_project::Project;
use portcullis_registry::{Extras, Published, Reference, SigningKey, Source, publish};

use super::provenance::{self, Repository, Sources};
use crate::hooks::CacheArgs;
use crate::runtime;
use crate::subject::TargetArgs;
use crate::terminal::format::print_line;
use crate::terminal::progress::Waiting;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, json};

/// Push a hook to an OCI registry, in the layout of WebAssembly artifacts.
///
/// The hook is a component, or a project, which is built first. It must load. The credentials are
/// those of `docker login`. With --sign, a sigstore bundle refers to it, as `cosign` attaches one.
/// For a project, in every language, a bill of materials (CycloneDX) refers to it too and, with
/// --sign, a SLSA provenance statement. The same component gives the same digest on every
/// publication.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis publish hooks/word-filter.wasm oci://ghcr.io/acme/word-filter:1.2 --sign acme.key\n  \
    portcullis publish . oci://ghcr.io/acme/word-filter:1.2"
)]
pub struct PublishArgs {
    /// The hook: a component file, or the directory of a project.
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The destination: oci://HOST/REPOSITORY:TAG.
    #[arg(value_name = "TO")]
    to: Source,
    /// Sign it with this key: ECDSA for P-256, PKCS #8 as PEM, not encrypted.
    #[arg(long, value_name = "FILE")]
    sign: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: the digests of the pushed artifacts.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &PublishArgs) -> anyhow::Result<ExitCode> {
    let reference = destination(&args.to)?;
    let key = args.sign.as_deref().map(SigningKey::read).transpose()?;
    let project = match args.path.is_dir() {
        true => Some(Project::find(&args.path)?),
        false => None,
    };
    let component = component(args)?;
    let report = inspect(
        &component,
        &Settings::default(),
        &LoadOptions {
            compiler: crate::compiler::child(),
            cache: args.cache.choice(),
            ..LoadOptions::default()
        },
    )?;
    let bytes = std::fs::read(&component);
    let bytes = bytes.with_context(|| format!("{} cannot be read", component.display()))?;
    if Digest::of(&bytes) != report.digest {
        bail!(
            "{} was changed while it was read; run the command again",
            component.display()
        );
    }
    let sources = match &project {
        Some(project) => Some(Sources::of(project, &bytes)?),
        None => None,
    };
    let provenance =
        |(project, sources)| provenance::predicate(project, Repository::of(&report), sources);
    let extras = Extras {
        annotations: annotations(&report),
        provenance: project.as_ref().zip(sources.as_ref()).map(provenance),
        bill: sources
            .as_ref()
            .map(|sources| provenance::bill(&report, sources)),
        key,
    };
    let name = component.display().to_string();
    let bar = Waiting::new(format!("pushing {}", args.to).as_str());
    let published = runtime::start()?.block_on(publish(bytes, &name, &reference, &extras));
    drop(bar);
    let published = published?;
    match args.json {
        true => json::document(&published)?,
        false => show(args, &report, &published, &extras, sources.as_ref())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn destination(to: &Source) -> anyhow::Result<Reference> {
    match to {
        Source::Oci(reference) if reference.digest().is_none() => Ok(reference.clone()),
        _ => bail!(
            "{to} is no place to publish to; name one with a tag and without a digest: oci://HOST/REPOSITORY:TAG"
        ),
    }
}

/// Returns the component, built first if it is a project's.
fn component(args: &PublishArgs) -> anyhow::Result<PathBuf> {
    if !args.path.is_dir() {
        return Ok(args.path.clone());
    }
    let target = TargetArgs {
        dir: args.path.clone(),
        component: None,
        cases: None,
        settings: None,
        cache: args.cache.clone(),
    };
    Ok(target.find()?.build_anew()?.report().file.clone())
}

/// Returns the annotations that registries show of an artifact: its author's description.
fn annotations(report: &HookReport) -> BTreeMap<String, String> {
    let about = &report.about;
    let said = [
        ("title", Some(report.id.as_str())),
        ("version", Some(report.version.as_str())),
        ("description", Some(report.description.as_str())),
        ("licenses", about.license.as_deref()),
        ("url", about.homepage.as_deref()),
        ("source", about.source.as_deref()),
        ("authors", about.authors.as_deref()),
        ("revision", about.revision.as_deref()),
    ];
    let said = said
        .into_iter()
        .filter_map(|(key, text)| Some((key, text.filter(|text| !text.is_empty())?)));
    said.map(|(key, text)| (format!("org.opencontainers.image.{key}"), text.to_owned()))
        .collect()
}

fn show(
    args: &PublishArgs,
    report: &HookReport,
    published: &Published,
    extras: &Extras,
    sources: Option<&Sources>,
) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {} {DIM}published as{DIM:#} {}",
        report.id,
        report.version,
        args.to.to_string()
    )?;
    print_line!(out, "  {DIM}by digest{DIM:#} {}", published.reference)?;
    match &extras.key {
        Some(key) => print_line!(
            out,
            "  {DIM}signed with the key{DIM:#} sha256:{}",
            key.fingerprint()
        )?,
        None => print_line!(out, "  {DIM}not signed; to sign it: --sign KEY{DIM:#}")?,
    }
    for line in beside(published, sources) {
        print_line!(out, "  {DIM}{}{DIM:#}", line)?;
    }
    Ok(print_line!(
        out,
        "  {DIM}to add it:{DIM:#} portcullis add {}",
        args.to.to_string()
    )?)
}

/// Returns the items pushed beside the component, and those that were not, with the reason.
fn beside(published: &Published, sources: Option<&Sources>) -> Vec<String> {
    let Some(sources) = sources else {
        return vec![
            "no provenance and no bill of materials: a file does not say what it was built of. Publish the project's directory"
                .to_owned(),
        ];
    };
    let provenance = match (&published.provenance, &sources.lock) {
        (None, _) => {
            "no provenance: it is a signed statement; with --sign KEY it is pushed".to_owned()
        }
        (Some(_), Some(lock)) => format!("provenance: digests of the sources and of {}", lock.name),
        (Some(_), None) => "provenance: a digest of the sources; there is no lock file".to_owned(),
    };
    let count = sources.packages.len();
    let unknown = sources.unknown.map(|what| format!("; not in it: {what}"));
    let unknown = unknown.unwrap_or_default();
    vec![
        provenance,
        format!("bill of materials: {count} components{unknown}"),
    ]
}
