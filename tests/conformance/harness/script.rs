//! The hook under test as a shell script.

use super::actor::Actor;
use super::answer::{Answer, Does};

/// Returns the script. It reads its input only where necessary: starting a process is slow enough.
pub fn text(actor: &Actor) -> String {
    let mut script = String::new();
    let reads = |answer: &Answer| {
        answer.when.is_some() || answer.holds.is_some() || matches!(answer.does, Does::Add)
    };
    if actor.answers.iter().any(reads) {
        script += "IFS= read -r input\n";
    }
    for answer in &actor.answers {
        script += &one(answer);
    }
    script
}

fn one(answer: &Answer) -> String {
    let mut tests = vec![format!("[ \"$PORTCULLIS_POINT\" = {} ]", answer.point)];
    if let Some(turn) = answer.turn {
        tests.push(format!("[ \"$PORTCULLIS_TURN\" = {turn} ]"));
    }
    if let Some(step) = answer.step {
        tests.push(format!("[ \"$PORTCULLIS_STEP\" = {step} ]"));
    }
    for text in answer
        .when
        .map(str::to_owned)
        .into_iter()
        .chain(answer.needle())
    {
        tests.push(format!(
            "case \"$input\" in *{}*) true;; *) false;; esac",
            quoted(&text)
        ));
    }
    let does = match &answer.does {
        Does::Answer(outcome) => format!("printf %s {}", quoted(&outcome.to_string())),
        Does::Fail(why) => format!("echo {} >&2; exit 1", quoted(why)),
        Does::Hang => "sleep 30".into(),
        Does::Add => ADD.into(),
        Does::Tell => TELL.into(),
    };
    format!("if {}; then\n{does}\nexit 0\nfi\n", tests.join(" && "))
}

/// Scripts may share any state: here a file in the hooks directory, in which they run.
const ADD: &str = r#"number() { echo "$input" | grep -o "\"$1\":[0-9]*" | head -n 1 | grep -o '[0-9]*$'; }
had=$(cat costs 2>/dev/null || echo 0)
echo $((had + $(number input-tokens) + $(number output-tokens))) > costs"#;
const TELL: &str = r#"printf '{"transform": [{"text": "%s tokens"}]}' "$(cat costs)""#;

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
