//! Ordinary code in Python: exceptions, tracebacks, `asyncio` and the standard streams.

use portcullis::observer::LogLevel;
use portcullis::points::SessionStart;
use portcullis::verdict::Cause;
use portcullis::{Decision, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{Sample, turn};

use super::Ordinary;
fn in_python_language() -> Ordinary {
    Ordinary::serving(
        &["pre-turn", "session-start"],
        Language::Python,
        &[("src/hook.py", include_str!("hook.py"))],
    )
}

#[tokio::test]
async fn in_python() {
    let hook = in_python_language();
    hook.behaves().await;
    for drawn in ["early", "urandom"] {
        assert_ne!(hook.says(drawn).await, hook.says(drawn).await, "{drawn}");
    }
    // A source of random numbers while a component is built traps in a call.
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
        // The same text as in the other languages.
        ("kept", r#"b'{"name":["\xc3\xa9",1]}' b'"\\u00e9\\ud83d"'"#),
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
    let (_, message) = hook.fails("no-json").await;
    assert!(message.contains("not JSON compliant"), "{message}");
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
async fn what_computes_in_pythons_library_works() {
    let said = in_python_language().says("everyday").await;
    let expected = [
        "2026-07-01T14:00:00+02:00",
        "1:00:00",
        "True",
        "('datetime.datetime(2026, 1, 2, 0, 0)', datetime.date(2026, 1, 2))",
        "(True, {'left': 1, 'right': 'b'}, <class 'int'>)",
        r#"(<Color.RED: 1>, '<joe>x', '{"a": [1, null]}')"#,
        "('ca9781', 'b60090', b'YQ==')",
        "ae4d0c",
        "(3, 1, Decimal('2.10'))",
        r"('&lt;a&gt;', 'a b\nc d', ['- a', '+ b'], [1.0, 2.0, 3.0])",
        "([5, 2], 8, 5)",
        r"(b'\x80', b'xn--bcher-kva')",
        "('wasi', False, None, 'a')",
        "True",
        "(False, False)",
    ];
    assert_eq!(said.split("; ").collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn what_a_hook_does_not_have_is_an_exception_that_says_so() {
    let said = in_python_language().says("unavailable").await;
    let waits = "RuntimeError: the hook waits for what never happens: it has one thread";
    let expected = [
        "RuntimeError: can't start new thread: a hook has one thread",
        "RuntimeError: can't start new thread: a hook has one thread",
        "OSError: [Errno 58] wasi does not support processes.",
        "FileNotFoundError: [Errno 44] No usable temporary directory found",
        "Empty: ",
        waits,
        waits,
        waits,
        "ZoneInfoNotFoundError: 'No time zone found with key No/Such'",
        "NotImplementedError: a hook in Python has no `scrypt`",
    ];
    let said: Vec<&str> = said.split("; ").collect();
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}");
    }
}

#[tokio::test]
async fn a_traceback_is_printed() {
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

/// Returns the line of the Python hook that contains this text.
fn line_of(source: &str) -> usize {
    let mut lines = include_str!("hook.py").lines();
    1 + lines.position(|line| line.contains(source)).expect(source)
}

/// Returns a message with `LINE` in place of each line number.
fn without_lines(message: &str) -> String {
    let mut parts = message.split("hook.py:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        let after = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        format!("{said}hook.py:LINE{after}")
    })
}

#[tokio::test]
async fn streams_that_a_module_takes_are_the_logs() {
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
async fn an_instance_begins_once() {
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
