//! What people write in every language works in a hook: output, clocks, random numbers, promises, and imports in
//! functions. What fails says where and why.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis::observer::{HookEvent, HookObserver, LogLevel, LogLine};
use portcullis::points::SessionStart;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Hooks, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{HooksDir, Sample, turn};

use super::from_nothing::{built, make, point};

/// The log.
#[derive(Default)]
struct Logged(Mutex<Vec<(LogLevel, String)>>);

impl HookObserver for Logged {
    fn log(&self, line: LogLine<'_>) {
        assert_eq!(line.hook.as_str(), "my-hook");
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push((line.level, line.message.to_owned()));
    }

    fn event(&self, _: HookEvent) {}
}

/// The hook of a language, loaded without any grant but that of the content.
pub(super) struct Ordinary {
    hooks: Hooks,
}

impl Ordinary {
    pub(super) fn new(language: Language, file: &str, source: &str) -> Self {
        Self::serving(&["pre-turn"], language, &[(file, source)])
    }

    fn of_files(language: Language, files: &[(&str, &str)]) -> Self {
        Self::serving(&["pre-turn"], language, files)
    }

    fn serving(points: &[&str], language: Language, files: &[(&str, &str)]) -> Self {
        let grants = "[hooks.my-hook.grants]\nviews = [\"content\"]\n";
        Self::with(points, language, files, grants)
    }

    pub(super) fn granted(language: Language, files: &[(&str, &str)], grants: &str) -> Self {
        Self::with(&["pre-turn"], language, files, grants)
    }

    fn with(points: &[&str], language: Language, files: &[(&str, &str)], grants: &str) -> Self {
        // A language's runtime takes time to compile and to start.
        let settings = format!(
            "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
             [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n{grants}"
        );
        let load = |component: &[u8]| {
            let dir = HooksDir::new().with_file("my-hook.wasm", component);
            dir.settings(&settings).load()
        };
        // Hooks of the same files are built and compiled once: the next test finds them in the cache.
        static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
        let same = format!("{language} {points:?} {files:?}");
        let component = {
            let mut all = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(same).or_default())
        };
        let component = component.get_or_init(|| {
            let dir = tempfile::tempdir().expect("a directory");
            let points = points.iter().copied().map(point).collect();
            let project = make(dir.path(), language, points);
            for (file, source) in files {
                fs::write(dir.path().join(file), source).expect("the source");
            }
            let component = built(&project);
            load(&component);
            component
        });
        Self {
            hooks: load(component),
        }
    }

    /// What one instance does in several calls: a refusal's reason, a failure's message, or nothing.
    pub(super) async fn calls(&self, actions: &[&str]) -> Vec<String> {
        let session = self.hooks.session(SessionOptions::new("test"));
        let mut outcomes = Vec::new();
        for action in actions {
            let verdict = session.run(&mut turn(action)).await;
            outcomes.push(match (verdict.decision, &verdict.runs[0].status) {
                (_, RunStatus::Failed { message, .. }) => message.to_string(),
                (Decision::Rejected { rejection, .. }, _) => rejection.reason,
                _ => String::new(),
            });
        }
        outcomes
    }

    /// What a new instance says and logs, or the failure with its message.
    pub(super) async fn act(
        &self,
        action: &str,
    ) -> (Result<String, (Cause, String)>, Vec<(LogLevel, String)>) {
        let sink = Arc::new(Logged::default());
        let session = self.session(sink.clone());
        let said = act_in(&session, action).await;
        let lines = sink
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        (said, lines)
    }

    fn session(&self, sink: Arc<Logged>) -> Session {
        self.hooks.session(SessionOptions {
            sink,
            ..SessionOptions::new("test")
        })
    }

    pub(super) async fn says(&self, action: &str) -> String {
        let (said, _) = self.act(action).await;
        said.unwrap_or_else(|error| panic!("{action}: {error:?}"))
    }

    pub(super) async fn fails(&self, action: &str) -> (Cause, String) {
        let (said, _) = self.act(action).await;
        said.expect_err(action)
    }

    /// What holds in every language.
    pub(super) async fn behaves(&self) {
        let (said, mut lines) = self.act("print").await;
        assert_eq!(said, Ok(String::new()));
        // Languages differ in when they write a line without an end.
        lines.sort_by_key(|(level, line)| (*level, line.clone()));
        let expected = [
            (LogLevel::Info, "no end".to_owned()),
            (LogLevel::Info, "out 1".to_owned()),
        ];
        assert_eq!(lines.get(..2), Some(&expected[..]), "{lines:?}");
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(
            lines[2].0 >= LogLevel::Warn && lines[2].1 == "err",
            "{lines:?}"
        );

        let now = || {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .expect("a time")
                .as_millis()
        };
        let before = now();
        let said: u128 = self.says("time").await.parse().expect("milliseconds");
        assert!((before..=now()).contains(&said), "{before} {said}");

        assert_ne!(self.says("random").await, self.says("random").await);
    }
}

/// What the session's instance says, or the failure with its message.
pub(super) async fn act_in(session: &Session, action: &str) -> Result<String, (Cause, String)> {
    let verdict = session.run(&mut turn(action)).await;
    match (verdict.decision, &verdict.runs[0].status) {
        (_, RunStatus::Failed { cause, message, .. }) => Err((*cause, message.to_string())),
        (Decision::Rejected { rejection, .. }, _) => Ok(rejection.reason),
        (other, _) => panic!("{action}: {other:?}"),
    }
}

#[tokio::test]
async fn in_rust() {
    let hook = Ordinary::new(
        Language::Rust,
        "src/lib.rs",
        include_str!("ordinary/hook.rs"),
    );
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("panicked at src/lib.rs:30:18: boom 3"),
        "{message}"
    );
}

fn in_c_language() -> Ordinary {
    Ordinary::new(Language::C, "src/hook.c", include_str!("ordinary/hook.c"))
}

#[tokio::test]
async fn what_is_printed_is_bounded_like_the_log() {
    let (said, lines) = in_c_language().act("flood").await;
    assert_eq!(said, Ok(String::new()));
    // 16 KiB and 256 lines are the defaults; the last line says that there were more.
    let bytes: usize = lines.iter().map(|(_, line)| line.len()).sum();
    assert!(
        lines.len() <= 257 && bytes < 17 << 10,
        "{} lines, {bytes} bytes",
        lines.len()
    );
    assert!(
        lines
            .iter()
            .any(|(_, line)| line == "line 0 of what is too much")
    );
    assert!(
        lines
            .last()
            .is_some_and(|(_, line)| line.contains("more than 256 log lines"))
    );
}

#[tokio::test]
async fn what_is_printed_is_harmless_and_a_trap_has_it() {
    let (said, lines) = in_c_language().act("red").await;
    let (cause, message) = said.expect_err("it aborts");
    assert_eq!(cause, Cause::Trap);
    let harmless = r"\u{1b}[31mred";
    assert_eq!(lines, [(LogLevel::Warn, harmless.to_owned())]);
    assert!(message.contains(harmless), "{message}");
}

#[tokio::test]
async fn a_file_that_stays_open_is_read_on_in_the_next_call() {
    let hook = in_c_language();
    let session = hook.session(Arc::default());
    for read in ["500, line 499", "500, line 999"] {
        assert_eq!(act_in(&session, "read on").await, Ok(read.to_owned()));
    }
}

#[tokio::test]
async fn a_bad_argument_is_told_without_the_functions_that_were_running() {
    let (cause, message) = in_c_language().fails("much").await;
    assert_eq!(cause, Cause::BadOutput);
    assert!(
        message.contains("fuel allocated for hostcalls has been exhausted"),
        "{message}"
    );
    assert!(!message.contains("on_pre_turn"), "{message}");
}

#[tokio::test]
async fn in_c() {
    let hook = in_c_language();
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("boom 3") && message.contains("hook.c: on_pre_turn: 74"),
        "{message}"
    );
    assert!(
        message.ends_with("at on_pre_turn (src/hook.c:74)"),
        "{message}"
    );
    let (cause, message) = hook.fails("trap").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.ends_with("executed: at inner (src/hook.c:15), at on_pre_turn (src/hook.c:72)"),
        "{message}"
    );
}

#[tokio::test]
async fn in_cpp() {
    let source = include_str!("ordinary/hook.cpp");
    let hook = Ordinary::new(Language::Cpp, "src/hook.cpp", source);
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("boom 3") && message.ends_with("at on_pre_turn() (src/hook.cpp:47)"),
        "{message}"
    );
    // The library checks the index.
    let (cause, message) = hook.fails("trap").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.ends_with("(src/hook.cpp:21), at on_pre_turn() (src/hook.cpp:45)"),
        "{message}"
    );
}

#[tokio::test]
async fn in_zig() {
    let source = include_str!("ordinary/hook.zig");
    let hook = Ordinary::new(Language::Zig, "src/hook.zig", source);
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    assert_eq!(hook.says("empty").await, "");
    let (cause, message) = hook.fails("error").await;
    assert_eq!(cause, Cause::GuestError);
    assert!(message.contains("error.NotToday"), "{message}");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("panic: boom 3") && message.contains("(src/hook.zig:47)"),
        "{message}"
    );
    let (_, message) = hook.fails("trap").await;
    for said in [
        "index out of bounds: index 4, len 3",
        "(src/hook.zig:12)",
        "(src/hook.zig:45)",
    ] {
        assert!(message.contains(said), "{message}");
    }
}

#[tokio::test]
async fn in_typescript() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("ordinary/hook.ts"),
    );
    hook.behaves().await;
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::GuestError);
    assert!(
        message.contains(
            "RangeError: boom 3 (at inner (src/hook.ts:14:32), at <anonymous> (src/hook.ts:33:14)"
        ) && message.contains("at act (src/hook.ts:17)"),
        "{message}"
    );
    let (_, message) = hook.fails("wait").await;
    assert!(
        message.contains("waits for a promise that nothing settles"),
        "{message}"
    );
}

#[tokio::test]
async fn typescript_runs_what_a_call_began() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("ordinary/unfinished.ts"),
    );
    let said = hook.calls(&["rules", "rules"]).await;
    assert_eq!(said, ["rules", "rules"]);

    let said = hook.calls(&["shared", "shared"]).await;
    assert!(said[0].contains("RangeError: the check failed"), "{said:?}");
    assert_eq!(said[1], "loaded");

    let said = hook.calls(&["start", "start and fail", "done"]).await;
    assert_eq!(said[0], "");
    assert!(said[1].contains("RangeError: no more"), "{said:?}");
    assert_eq!(said[2], "returned thrown");

    let said = hook.calls(&["lost", "unsettled", "start a task"]).await;
    let failures = ["the check failed", "the check failed", "the task failed"];
    for (said, failure) in said.iter().zip(failures) {
        assert!(said.contains(&format!("RangeError: {failure}")), "{said}");
    }
}

#[tokio::test]
async fn typescript_takes_promises_of_a_list_alone() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("ordinary/unfinished.ts"),
    );
    let said = hook.says("no list").await;
    assert_eq!(said, ["TypeError"; 5].join(" "));
}

#[tokio::test]
async fn typescript_has_a_fixed_time_while_it_is_loaded() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("ordinary/loaded.ts"),
    );
    let (said, lines) = hook.act("then").await;
    assert_eq!(said.expect("an answer"), "0 1970 true true");
    assert_eq!(lines, []);
    let built = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a time")
        .as_millis();

    let (said, lines) = hook.act("now").await;
    let said = said.expect("an answer");
    let (time, number) = said.split_once(' ').expect("a time");
    let time: u128 = time.parse().expect("milliseconds");
    assert!(time >= built, "{built} {time}");
    assert_eq!(lines, [(LogLevel::Info, "called".to_owned())]);
    assert!(!hook.says("now").await.ends_with(number), "{number}");
}

fn told_in_typescript() -> Ordinary {
    Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("ordinary/told.ts"),
    )
}

#[tokio::test]
async fn typescript_tells_so_much_of_an_error() {
    let hook = told_in_typescript();
    let (cause, message) = hook.fails("own cause").await;
    assert_eq!(cause, Cause::GuestError, "{message}");
    assert_eq!(message.matches("RangeError: circular").count(), 1);
    assert!(message.contains("; caused by [circular]"), "{message}");
    let (_, message) = hook.fails("cause with it").await;
    assert!(
        message.contains(r#"; caused by {"error":[circular]}"#),
        "{message}"
    );
    let (_, message) = hook.fails("chain").await;
    assert!(
        message.contains("Error: cause 4") && !message.contains("cause 5"),
        "{message}"
    );
    let (_, message) = hook.fails("deep").await;
    let frames = message.matches("at deep ").count();
    assert!((1..=16).contains(&frames), "{frames}: {message}");
}

#[tokio::test]
async fn javascript_tells_a_place_in_a_file_of_any_name() {
    let source = "import { defineHook } from \"portcullis\";\n\
         import { thrown } from \"./entry.js\";\n\
         export default defineHook({ id: \"my-hook\", description: \"Fails.\", preTurn: () => thrown() });\n";
    let entry = "export function thrown() {\n  throw new RangeError(\"entry\");\n}\n";
    let hook = Ordinary::of_files(
        Language::JavaScript,
        &[("src/hook.js", source), ("src/entry.js", entry)],
    );
    let (_, message) = hook.fails("").await;
    let place = "RangeError: entry (at thrown (src/entry.js:2:13)";
    assert!(message.contains(place), "{message}");
}

#[tokio::test]
async fn typescript_shows_what_json_cannot() {
    let hook = told_in_typescript();
    let (said, lines) = hook.act("show").await;
    assert_eq!(said, Ok("shown".to_owned()));
    let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    let expected = [
        "2 of 3% {\"a\":1} more",
        "{\"self\":[circular]} Map {\"a\" => 1} Set {1} [1n,undefined,null,Symbol(x)] Uint8Array [1,2]",
        "in",
        "  a group",
        "calls: 1",
        "0: {\"a\":1}",
    ];
    assert_eq!(lines[..6], expected);
    assert!(
        lines[6].starts_with("it failed TypeError: cannot read")
            && lines[6].contains("(src/hook.ts:"),
        "{lines:?}"
    );
    assert!(
        lines[7].starts_with("fields big=1n error=TypeError: cannot read"),
        "{lines:?}"
    );
    let (_, message) = hook.fails("object").await;
    assert!(
        message.contains(r#"{"code":5,"self":[circular]}"#),
        "{message}"
    );
    let (_, message) = hook.fails("aggregate").await;
    assert!(
        message.contains("; of which Error: first (at ") && message.contains("; of which 5"),
        "{message}"
    );
}

#[tokio::test]
async fn typescript_draws_many_random_numbers_at_once() {
    let hook = told_in_typescript();
    assert_eq!(hook.says("random").await, "true true");
}

#[tokio::test]
async fn typescript_gives_no_number_of_the_build_in_a_call() {
    let hook = told_in_typescript();
    for action in ["taken early", "taken late"] {
        let (cause, message) = hook.fails(action).await;
        assert_eq!(cause, Cause::GuestError, "{message}");
        assert!(message.contains("write `Math.random()`"), "{message}");
    }
}

fn in_python_language() -> Ordinary {
    Ordinary::serving(
        &["pre-turn", "session-start"],
        Language::Python,
        &[("src/hook.py", include_str!("ordinary/hook.py"))],
    )
}

#[tokio::test]
async fn in_python() {
    let hook = in_python_language();
    hook.behaves().await;
    for drawn in ["early", "urandom"] {
        assert_ne!(hook.says(drawn).await, hook.says(drawn).await, "{drawn}");
    }
    // What gives random numbers while a component is built traps in a call.
    let (cause, message) = hook.fails("system").await;
    assert_eq!(cause, Cause::Trap, "{message}");
    assert_eq!(hook.says("file").await, "no file");
    assert_eq!(hook.says("import").await, "bm90X3RoZXJl");
    let mut wrong = Vec::new();
    for (action, expected) in [
        ("dates", "True date date True"),
        ("clocks", "1e-09 True"),
        ("spec", "None"),
        ("many", "100000"),
        ("seeded", "0.32383276483316237"),
        ("await", "[1, 2]"),
        ("input", "EOFError"),
        ("link", "NotImplementedError"),
        ("socket", "a hook has no sockets"),
        ("module", "=3D"),
        (
            "late",
            "4f3f2898-69e3-5a0d-820a-c4e87987dbce ['From:', 'a', 'b'] [('a', 2)] 9",
        ),
    ] {
        let (said, _) = hook.act(action).await;
        if said.as_deref() != Ok(expected) {
            wrong.push((action, said));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let (_, message) = hook.fails("absent").await;
    assert!(
        message.contains("name it in an `import` of the hook"),
        "{message}"
    );
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::GuestError);
    let told = "RuntimeError: outer (at _act (hook.py:LINE), at pre_turn (hook.py:LINE)); \
                caused by ValueError: boom 3 (at inner (hook.py:LINE), at _act (hook.py:LINE))";
    assert_eq!(
        without_lines(&message),
        format!("it reports a failure: {told}")
    );
    let raised = "raise RuntimeError(\"outer\") from error";
    assert!(
        message.contains(&format!("_act (hook.py:{})", line_of(raised))),
        "{message}"
    );
    let (_, message) = hook.fails("handling").await;
    let told = "RuntimeError: during (at _act (hook.py:LINE), at pre_turn (hook.py:LINE)); \
                raised while handling ValueError: boom 3 (at inner (hook.py:LINE), at _act (hook.py:LINE))";
    assert_eq!(
        without_lines(&message),
        format!("it reports a failure: {told}")
    );
    let (_, message) = hook.fails("group").await;
    let told = "ExceptionGroup: some (2 sub-exceptions); a note (at _act (hook.py:LINE), at pre_turn (hook.py:LINE)); \
                of which ValueError: one; of which Silent: its message cannot be read: LookupError";
    assert_eq!(
        without_lines(&message),
        format!("it reports a failure: {told}")
    );
    let (_, message) = hook.fails("never").await;
    assert!(
        message.contains("waits for what never happens"),
        "{message}"
    );
}

#[tokio::test]
async fn in_python_a_traceback_is_printed() {
    let (said, lines) = in_python_language().act("traceback").await;
    let place = format!(
        "hook.py\", line {}, in inner",
        line_of("raise ValueError(f\"boom")
    );
    let said = said.expect("a traceback");
    assert!(
        said.starts_with("Traceback") && said.contains(&place),
        "{said}"
    );
    let told = lines
        .iter()
        .filter(|(_, line)| line.ends_with(&place))
        .count();
    assert_eq!(told, 2, "{lines:?}");
}

/// The line of the hook in Python that has this.
fn line_of(source: &str) -> usize {
    let mut lines = include_str!("ordinary/hook.py").lines();
    1 + lines.position(|line| line.contains(source)).expect(source)
}

/// A message with `LINE` in the place of each line's number.
fn without_lines(message: &str) -> String {
    let mut parts = message.split("hook.py:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        let after = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        format!("{said}hook.py:LINE{after}")
    })
}

#[tokio::test]
async fn in_python_streams_that_a_module_takes_are_the_logs() {
    let (said, lines) = in_python_language().act("streams").await;
    assert_eq!(said, Ok(String::new()));
    let expected = [
        (LogLevel::Warn, "INFO:root:info 1"),
        (LogLevel::Info, "said"),
        (LogLevel::Warn, "taken"),
    ];
    assert_eq!(
        lines,
        expected.map(|(level, line)| (level, line.to_owned()))
    );
}

#[tokio::test]
async fn in_python_an_instance_begins_once() {
    let hook = in_python_language();
    let session = hook.hooks.session(SessionOptions::new("test"));
    let mut start = <SessionStart as Sample>::sample();
    let verdict = session.run(&mut start).await;
    assert!(verdict.decision.passed(), "{verdict:?}");
    let verdict = session.run(&mut turn("begun")).await;
    let Decision::Rejected { rejection, .. } = verdict.decision else {
        panic!("{verdict:?}");
    };
    // The first number of the seed.
    assert_eq!(rejection.reason, "0.32383276483316237 StringIO");
}
