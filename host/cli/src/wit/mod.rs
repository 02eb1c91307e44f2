//! `portcullis wit`: the contract.

use crate::terminal::format::print_line;
use crate::terminal::{Out, Printable};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use portcullis_project::contract::World;
use portcullis_project::{Contract, Point};

/// Print the contract as WIT, or the world of chosen points.
///
/// With --out, the files are written, with the world: the input of any language's bindings generator.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis wit pre-turn llm-delta --import content\n  \
        portcullis wit pre-turn --out ./wit"
)]
pub struct WitArgs {
    /// The points that the world serves; without any, the whole contract is printed.
    #[arg(value_name = "POINT")]
    points: Vec<Point>,

    /// The imports of the world, such as `content`. Default: everything.
    #[arg(
        long = "import",
        value_name = "IMPORT",
        value_delimiter = ',',
        requires = "points"
    )]
    imports: Option<Vec<String>>,

    /// The world's name.
    #[arg(long, default_value = "my-hook", value_name = "NAME")]
    world: String,

    /// Write the contract's files and the world into this directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &WitArgs) -> anyhow::Result<ExitCode> {
    let mut world = World::new(&args.world, &args.points);
    if let Some(imports) = &args.imports {
        world = world.with_imports(imports)?;
    }
    let mut out = Out::stdout();
    if let Some(dir) = &args.out {
        Contract::write(dir)?;
        if !args.points.is_empty() {
            std::fs::write(dir.join(format!("{}.wit", args.world)), world.to_string())?;
        }
        print_line!(out, "{}", dir.display())?;
    } else if args.points.is_empty() {
        for (path, text) in Contract::files() {
            print_line!(
                out,
                "// wit/{}\n\n{}",
                path.display(),
                Printable::prose(text)
            )?;
        }
    } else {
        out.text(Printable::prose(&world))?;
    }
    Ok(ExitCode::SUCCESS)
}
