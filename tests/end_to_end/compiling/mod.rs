//! Components that are compiled in a child process, and the behaviour of a reload meanwhile.

mod child;
mod meanwhile;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use portcullis::compiler::{Compiler, WorkerCommand};
use portcullis::hooks::{CacheChoice, HooksError, LoadFault, Progress};
use portcullis::reload::{Listening, Reload};
use portcullis::{Hooks, LoadOptions};
use portcullis_tests::{HooksDir, component, soon};

/// The number of functions of the large component: it compiles for seconds, in some hundred
/// megabytes.
const FUNCTIONS: usize = 20_000;

/// Returns a compiler that runs the worker program.
fn worker(args: &[&Path]) -> Compiler {
    let program = env!("CARGO_BIN_EXE_compile-worker");
    Compiler::Child(WorkerCommand::new(program, args))
}

/// Returns the load options here: in a child process, without a cache unless one is set.
fn options(compiler: Compiler) -> LoadOptions<'static> {
    LoadOptions {
        cache: CacheChoice::None,
        compiler,
        ..LoadOptions::default()
    }
}

/// Returns the only fault of a directory.
fn fault(loaded: Result<Hooks, HooksError>) -> LoadFault {
    match loaded {
        Err(HooksError::Load(errors)) if errors.0.len() == 1 => errors.0[0].fault.clone(),
        other => panic!("{other:?}"),
    }
}

/// Returns a hook with a large unused module, which still has to be compiled.
fn large(name: &str) -> Vec<u8> {
    let body =
        "(i32.add (i32.mul (local.get 0) (i32.const 3)) (local.get 1)) local.set 0 ".repeat(20);
    let function = format!("(func (param i32 i32) (result i32) {body} local.get 0)");
    let module = wat::parse_str(format!("(module {})", function.repeat(FUNCTIONS)));
    let module = module.expect("a module in text");
    let mut bytes = std::fs::read(component(name)).expect("a component");
    // A section with a core module.
    bytes.push(1);
    let mut size = module.len();
    while size >= 0x80 {
        bytes.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes.extend(module);
    bytes
}

/// A file that holds the workers back while it exists.
struct Gate {
    dir: tempfile::TempDir,
}

impl Gate {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a directory"),
        }
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("gate")
    }

    fn close(&self) {
        // The file of a worker that has ended.
        let _ = std::fs::remove_file(self.file().with_extension("pid"));
        std::fs::write(self.file(), "").expect("a file");
    }

    fn open(&self) {
        std::fs::remove_file(self.file()).expect("a closed gate");
    }

    /// Returns the directory of the worker's process, as soon as it exists.
    async fn process(&self) -> PathBuf {
        let file = self.file().with_extension("pid");
        let read = || {
            std::fs::read_to_string(&file)
                .ok()
                .filter(|id| !id.is_empty())
        };
        Path::new("/proc").join(soon("a worker", read).await)
    }
}

/// The load progress reports, in words and in order.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    fn of(hooks: &Hooks) -> (Self, [Listening; 2]) {
        let told = Self::default();
        let (reloads, progress) = (told.clone(), told.clone());
        let listening = [
            hooks.on_reload(move |reload| reloads.reload(reload)),
            hooks.on_progress(move |step| progress.progress(step)),
        ];
        (told, listening)
    }

    fn reload(&self, reload: &Reload) {
        self.push(match reload {
            Reload::Done(done) => {
                let changes = done.changes.iter();
                let changes = changes.map(|c| format!("{} {:?}", c.hook, c.change));
                format!("applied: {}", changes.collect::<Vec<_>>().join(", "))
            }
            other => format!("{other:?}"),
        });
    }

    fn progress(&self, progress: Progress<'_>) {
        let name = |file: &Path| file.file_name().expect("a name").display().to_string();
        match progress {
            Progress::Compiling(file) => self.push(format!("compiling {}", name(file))),
            Progress::Failed(file) => self.push(format!("failed {}", name(file))),
            Progress::Found(_) | Progress::Loaded { .. } => {}
        }
    }

    fn push(&self, line: String) {
        self.0.lock().expect("a list").push(line);
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().expect("a list").clone()
    }

    fn count(&self, line: &str) -> usize {
        self.all().iter().filter(|told| *told == line).count()
    }

    async fn soon(&self, line: &str) {
        soon(line, || (self.count(line) > 0).then_some(())).await;
    }
}

/// Creates a directory with the hook `tiny` in one file.
fn tiny(settings: &str) -> HooksDir {
    HooksDir::new().with("tiny").settings(settings)
}
