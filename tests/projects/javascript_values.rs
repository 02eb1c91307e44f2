//! Values that the JavaScript runtime would cut off or end the call for: the SDK refuses or repairs
//! them.

use portcullis::observer::LogLevel;
use portcullis_project::Language;

use super::ordinary::Ordinary;

const SOURCE: &str = r#"import { ask, content, conversation, defineHook, log, message, reject, state, textOf, transform } from "portcullis";

const half = "\u{1f600}".slice(0, 1);

const does = {
  fraction: () => state.increment("spent", 0.4),
  nan: () => state.increment("spent", undefined * 2),
  whole: () => state.increment("spent", -2),
  behind: () => conversation.slice(-3, 2).length,
  between: () => conversation.slice(0, 2).length,
  half: () => `cut: ${half}`,
  log: () => {
    log.info(half, { half });
    console.log(half);
  },
  message: () => textOf(message("user", half).content).codePointAt(0).toString(16),
  throw: () => {
    throw new Error(half);
  },
  text: () => {
    throw "no more";
  },
};

const answers = {
  code: () => reject(5, "reason"),
  reason: () => reject("code"),
  parts: () => transform("text"),
  illegal: () => ask("May it?"),
};

export default defineHook({
  id: "my-hook",
  description: "Passes odd values.",
  preTurn: () => answers[content.text()]?.() ?? reject("said", String(does[content.text()]())),
});
"#;

fn hook() -> Ordinary {
    let grants = "[hooks.my-hook.grants]\nviews = [\"content\", \"conversation\"]\nstate = true\n";
    Ordinary::granted(Language::JavaScript, &[("src/hook.js", SOURCE)], grants)
}

#[tokio::test]
async fn a_number_that_is_no_whole_one_is_refused() {
    let hook = hook();
    for (action, message) in [
        (
            "fraction",
            "`state.increment` takes a whole number from -9007199254740991 to 9007199254740991, but was given 0.4",
        ),
        ("nan", "but was given NaN"),
        (
            "behind",
            "`conversation.slice` takes a whole number from 0 to 2147483647, but was given -3",
        ),
    ] {
        let (_, said) = hook.fails(action).await;
        assert!(said.contains(message), "{action}: {said}");
    }
    assert_eq!(hook.says("whole").await, "-2");
    assert_eq!(hook.says("between").await, "0");
}

/// A failure after the handler has returned, or one that is no error, has no line of its own.
#[tokio::test]
async fn what_has_no_line_has_that_of_the_handler() {
    let hook = hook();
    let line = SOURCE.lines().position(|line| line.contains("preTurn:"));
    let place = format!(
        " (in preTurn (src/hook.js:{}:",
        line.expect("a handler") + 1
    );
    for (action, message) in [
        (
            "code",
            "TypeError: `reject: code` takes a string, but was given 5",
        ),
        (
            "reason",
            "TypeError: `reject: reason` takes a string, but was given undefined",
        ),
        (
            "parts",
            "TypeError: `transform` takes an array, but was given \"text\"",
        ),
        ("illegal", "TypeError: `ask` is not an answer of `preTurn`"),
        ("text", "no more"),
    ] {
        let (_, said) = hook.fails(action).await;
        assert!(said.contains(&format!("{message}{place}")), "{said}");
    }
}

#[tokio::test]
async fn half_an_emoji_ends_no_call() {
    let hook = hook();
    assert_eq!(hook.says("half").await, "cut: \u{fffd}");
    assert_eq!(hook.says("message").await, "fffd");
    let (_, said) = hook.fails("throw").await;
    assert!(said.contains("Error: \u{fffd}"), "{said}");
    let (said, lines) = hook.act("log").await;
    assert_eq!(said.as_deref(), Ok("undefined"));
    let messages: Vec<_> = lines
        .iter()
        .map(|(level, line)| (*level, line.as_str()))
        .collect();
    let expected = [
        // A field is written as JSON, which has an escape for it.
        (LogLevel::Info, "\u{fffd} half=\"\\ud83d\""),
        (LogLevel::Info, "\u{fffd}"),
    ];
    assert_eq!(messages, expected);
}
