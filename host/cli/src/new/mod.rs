//! `portcullis new`: makes a project for a hook.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portcullis_project::{Language, NewProject, Point, Sdk};
use serde::Serialize;

use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM};
use crate::terminal::{Out, json};

/// Make a project for a hook, in any of the languages.
///
/// The new hook builds and passes its test; at every point it continues. The project contains the WIT and
/// the language's SDK, so it needs only the language's own tools and registries. With --sdk it has no copy of them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis new word-filter --lang rust --points pre-turn\n  \
        portcullis new word-filter --lang c --points pre-turn,llm-delta --dir ./hooks-in-c/word-filter\n  \
        portcullis new word-filter --lang python --points pre-turn --sdk package"
)]
pub struct NewArgs {
    /// The hook's id: lower-case letters, digits and dashes.
    name: String,

    /// The language.
    #[arg(long, short, value_name = "LANGUAGE", value_parser = languages())]
    lang: Language,

    /// The points that it serves; `portcullis points` lists them.
    #[arg(
        long,
        short,
        value_name = "POINT",
        value_delimiter = ',',
        required = true
    )]
    points: Vec<Point>,

    /// The new directory; by default, the hook's id.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// The SDK to use instead of a copy in the project: `package`, for the one of this version in
    /// the language's registry (Rust, JavaScript, TypeScript, Python); a packed SDK, which is the
    /// file of `npm pack`, a wheel, or the directory of an unpacked crate; or a checkout of
    /// Portcullis.
    #[arg(long, value_name = "SDK")]
    sdk: Option<PathBuf>,

    /// Print JSON: the directory, and the files in it.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Made<'a> {
    name: &'a str,
    language: &'static str,
    directory: &'a Path,
    files: &'a [PathBuf],
}

fn languages() -> impl TypedValueParser<Value = Language> {
    let names = Language::ALL.iter().map(|language| language.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Language>())
}

/// Runs the command.
pub fn run(args: NewArgs) -> anyhow::Result<ExitCode> {
    let dir = args.dir.unwrap_or_else(|| PathBuf::from(&args.name));
    let sdk = args.sdk.map_or(Sdk::Vendored, Sdk::named);
    let project = NewProject::new(&args.name, args.lang, args.points, sdk)?;
    let files = project.write(&dir)?;
    if args.json {
        json::document(&Made {
            name: &args.name,
            language: args.lang.name(),
            directory: &dir,
            files: &files,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let shown = dir.display();
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}{}{BOLD:#}", shown)?;
    let own = files
        .iter()
        .filter(|file| !file.starts_with("sdk") && !file.starts_with("wit"));
    for file in own {
        print_line!(out, "  {}", file.display())?;
    }
    if files.iter().any(|file| file.starts_with("sdk")) {
        print_line!(out, "  {DIM}sdk/, wit/: the SDK and the contract{DIM:#}")?;
    }
    print_line!(
        out,
        "\nNext:\n  cd {}\n  portcullis build\n  portcullis test",
        shown
    )?;
    Ok(ExitCode::SUCCESS)
}
