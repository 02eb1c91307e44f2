//! The program that runs under Valgrind: every case of a language, in order.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Waker};

use anyhow::{Context as _, bail, ensure};
use portcullis::contract::{Context, ToolSpec};
use portcullis::hooks::CacheChoice;
use portcullis::observer::{HookObserver, TracingSink};
use portcullis::points::{
    Point, PostToolCall, PreToolCall, ToolUpdate, post_tool_call, pre_tool_call, tool_update,
};
use portcullis::tools::ToolCatalog;
use portcullis::{Call, Hooks, LoadOptions, SessionOptions, Views};
use portcullis_agent::JournalObserver;
use portcullis_bench::straight::{Facts, Linked};
use portcullis_project::Language;
use portcullis_store::{RecordingOptions, Store};
use tempfile::TempDir;

use crate::cases::{Case, Keeps, Reads, Way};

/// The function whose instructions are counted. A file of counts is written each time it returns.
pub const MEASURED: &str = "portcullis_measured";

const NAME: &str = "shell";
const ARGUMENTS: &str = r#"{"command":"cargo test --workspace","working_directory":"/srv/project","timeout_seconds":120}"#;

/// Returns the settings. Valgrind makes everything some fifty times slower, so limits are high, and
/// all are armed. A counted call that reaches a limit is an error.
fn settings(way: Way) -> String {
    let deadline = match way {
        // The default: a journal has more records for a hook that may take longer.
        Way::Kept(_) => 100,
        _ => 600_000,
    };
    format!(
        "[engine]\ncompile-ms = 86400000\n\
         [turn]\nfuel = 1000000000000000\nhooks-ms = 86400000\n\
         [defaults.limits]\ndeadline-ms = {deadline}\nwall-ms = 600000\n"
    )
}

/// The maximum number of warm-up calls until one succeeds: in the first, Valgrind translates the
/// code, and a deadline may pass.
const WARM_UPS: usize = 4;

#[unsafe(no_mangle)]
#[inline(never)]
fn portcullis_measured(
    calls: u32,
    call: &mut dyn FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for _ in 0..calls {
        call()?;
    }
    Ok(())
}

/// Makes the warm-up calls, then counts.
fn measure(case: &Case, mut call: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut warm_ups = std::iter::repeat_with(&mut call).take(WARM_UPS);
    warm_ups.find(Result::is_ok);
    call()?;
    portcullis_measured(case.calls(), &mut call)
}

/// Loads all hooks of a language, so that they are compiled.
pub fn load(language: Language, component: &Path, work: &Path) -> anyhow::Result<()> {
    for case in Case::all(language) {
        match case.way {
            Way::Straight => drop(linked(&case, component, work)?),
            Way::Chain(_) | Way::Fresh | Way::Kept(_) => drop(hooks(&case, component, work)?),
        }
    }
    Ok(())
}

/// Runs all cases of a language.
pub fn play(language: Language, component: &Path, work: &Path) -> anyhow::Result<()> {
    for case in Case::all(language) {
        let played = match case.way {
            Way::Straight => straight(&case, component, work),
            Way::Chain(_) | Way::Fresh | Way::Kept(_) => {
                at(&case, &hooks(&case, component, work)?.1)
            }
        };
        played.with_context(|| case.to_string())?;
    }
    Ok(())
}

fn straight(case: &Case, component: &Path, work: &Path) -> anyhow::Result<()> {
    let mut instance = linked(case, component, work)?.start()?;
    let facts = Facts {
        name: NAME,
        arguments: ARGUMENTS,
    };
    measure(case, || {
        let refusal = instance.call(facts)?;
        ensure!(refusal.is_none(), "the hook refuses");
        Ok(())
    })
}

fn linked(case: &Case, component: &Path, work: &Path) -> anyhow::Result<Linked> {
    let point = match case.reads {
        Reads::Nothing => "tool-update",
        Reads::Name => "post-tool-call",
        Reads::Arguments => "pre-tool-call",
    };
    let compiled = component.file_stem().unwrap_or_default();
    let compiled = work.join(compiled).with_extension("cwasm");
    Linked::new(component, point, Some(&compiled))
}

/// Creates a directory with a case's hooks, each under an id of its own, and loads the hooks from
/// it.
fn hooks(case: &Case, component: &Path, work: &Path) -> anyhow::Result<(TempDir, Hooks)> {
    let dir = tempfile::tempdir()?;
    let bytes = std::fs::read(component)?;
    for number in 0..case.hooks() {
        let file = dir.path().join(format!("guard-{number}.wasm"));
        std::fs::write(file, renamed(&bytes, number))?;
    }
    std::fs::write(dir.path().join("hooks.toml"), settings(case.way))?;
    let options = LoadOptions {
        cache: CacheChoice::Dir(work.join("cache")),
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options)?;
    Ok((dir, hooks))
}

/// Returns the component under another id of the same length.
fn renamed(component: &[u8], number: usize) -> Vec<u8> {
    let mut renamed = component.to_vec();
    if number > 0 {
        let from = b"guard-rust";
        let to = format!("guard-ru{number:02}");
        let places: Vec<usize> = memmem(component, from).collect();
        for at in places {
            renamed[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
    }
    renamed
}

fn memmem<'a>(bytes: &'a [u8], part: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let windows = bytes.windows(part.len()).enumerate();
    windows.filter_map(move |(at, window)| (window == part).then_some(at))
}

fn at(case: &Case, hooks: &Hooks) -> anyhow::Result<()> {
    let call_id = || "call-1".to_owned();
    let name = || NAME.to_owned();
    match case.reads {
        Reads::Nothing => chain::<ToolUpdate>(
            case,
            hooks,
            tool_update::ToolProgress {
                call_id: call_id(),
                name: name(),
                index: 0,
                text_bytes: 0,
            },
        ),
        Reads::Name => chain::<PostToolCall>(
            case,
            hooks,
            post_tool_call::ToolOutcome {
                call_id: call_id(),
                name: name(),
                output_bytes: 4,
                is_error: false,
                elapsed_us: 1,
            },
        ),
        Reads::Arguments => chain::<PreToolCall>(
            case,
            hooks,
            pre_tool_call::ToolRequest {
                call_id: call_id(),
                name: name(),
                arguments_bytes: u32::try_from(ARGUMENTS.len())?,
                grant: pre_tool_call::ExecutionGrant {
                    working_dir: Some("/srv/project".to_owned()),
                    timeout_ms: 120_000,
                },
            },
        ),
    }
}

fn chain<P: Point>(case: &Case, hooks: &Hooks, subject: P::Subject) -> anyhow::Result<()> {
    let views = Views {
        tool_arguments: ARGUMENTS.into(),
        tool_output: Some("done".into()),
        tools: Arc::new(catalog()?),
        ..Views::default()
    };
    let mut call = Call::<P>::unchecked(
        Context {
            session_id: "counts".to_owned(),
            agent: "main".to_owned(),
            turn: 1,
            step: 1,
        },
        subject,
        views,
    );
    let options = SessionOptions {
        sink: sink(case.way)?,
        ..SessionOptions::new("counts")
    };
    let open = || hooks.session(options.clone());
    let warm = open();
    measure(case, || {
        let fresh;
        let session = match case.way {
            Way::Fresh => {
                fresh = open();
                &fresh
            }
            _ => &warm,
        };
        // Pinned as in an executor: moving the future or the verdict is not the chain's work.
        let run = pin!(session.run(&mut call));
        let Poll::Ready(verdict) = run.poll(&mut task::Context::from_waker(Waker::noop())) else {
            bail!("the chain waits for something");
        };
        let ran = verdict.runs.iter().filter(|run| run.cause().is_none());
        ensure!(
            ran.count() == case.hooks(),
            "a hook did not run: {:?}",
            verdict.runs
        );
        Ok(())
    })
}

/// Returns the sink that receives the runs.
fn sink(way: Way) -> anyhow::Result<Arc<dyn HookObserver>> {
    let Way::Kept(keeps) = way else {
        return Ok(Arc::new(TracingSink));
    };
    let store = Store::temporary()?;
    let journal = store.journal()?;
    let journal = match keeps {
        Keeps::Journal => journal,
        Keeps::Calls => journal.recording(store.recorder(RecordingOptions::default())?),
    };
    let sink = JournalObserver::new(Arc::new(TracingSink), Some(Arc::new(journal)));
    Ok(Arc::new(sink))
}

fn catalog() -> anyhow::Result<ToolCatalog> {
    let tool = ToolSpec {
        name: NAME.to_owned(),
        description: "Runs a command.".to_owned(),
        schema: r#"{"type":"object"}"#.to_owned(),
    };
    Ok(ToolCatalog::new([tool])?)
}
