//! A hook in each language changes the agent's state, as far as it was granted.

use portcullis_agent::{Agent, AgentConfig, NewSession, Script};
use portcullis_project::Language;
use portcullis_tests::HooksDir;
use serde_json::{Value, json};

use super::granted::granted;

/// Puts a value at the key that the user names, and removes `notes/old`. An error becomes the value of `notes/error`.
const JAVASCRIPT: &str = r#"import { agentStateEdit, content, defineHook, proceed } from "portcullis";

export default defineHook({
  id: "my-hook",
  description: "Changes the agent's state.",
  preTurn: () => {
    try {
      agentStateEdit.set(content.text(), { by: ["my-hook", 1] });
      agentStateEdit.remove("notes/old");
    } catch (error) {
      if (!(error instanceof agentStateEdit.EditError)) throw error;
      agentStateEdit.set("notes/error", `${error.cause.tag}: ${error.message}`);
    }
    return proceed();
  },
});
"#;

/// The same hook, with types.
const TYPESCRIPT: &str = r#"import { agentStateEdit, content, defineHook, proceed, type EditError } from "portcullis";

function change(key: string, value: { by: (string | number)[] }): EditError | undefined {
  try {
    agentStateEdit.set(key, value);
    agentStateEdit.remove("notes/old");
    return undefined;
  } catch (error: unknown) {
    if (!(error instanceof agentStateEdit.EditError)) throw error;
    return error.cause;
  }
}

export default defineHook({
  id: "my-hook",
  description: "Changes the agent's state.",
  preTurn: () => {
    const failed = change(content.text(), { by: ["my-hook", 1] });
    if (failed !== undefined) agentStateEdit.set("notes/error", `${failed.tag}: ${failed.val}`);
    return proceed();
  },
});
"#;

const PYTHON: &str = r#"from portcullis import StateError, agent_state_edit, content, hook, proceed


@hook(id="my-hook", description="Changes the agent's state.")
class MyHook:
    def pre_turn(self, context, call):
        try:
            agent_state_edit.set(content.text(), {"by": ["my-hook", 1]})
            agent_state_edit.remove("notes/old")
        except StateError as error:
            agent_state_edit.set("notes/error", f"denied: {error}")
        return proceed()
"#;

const C: &str = r#"#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Changes the agent's state.");

bool on_pre_turn(void) {
    pc_string_t key = pc_content(), value = PC_TEXT("{\"by\":[\"my-hook\",1]}"), old = PC_TEXT("notes/old");
    pc_agent_state_edit_edit_error_t error;
    if (pc_agent_state_edit_set(&key, &value, &error) && pc_agent_state_edit_remove(&old, &error)) return PC_CONTINUE;

    if (error.tag != PC_AGENT_STATE_EDIT_EDIT_ERROR_DENIED) return pc_fail("another error");
    key = PC_TEXT("notes/error");
    value = pc_format("\"denied: %.*s\"", PC_SHOW(error.val.denied));
    return pc_agent_state_edit_set(&key, &value, &error) ? PC_CONTINUE : pc_fail("no error can be noted");
}
"#;

/// The model answers both turns.
const SCRIPT: &str = r#"{"providers": [{"name": "main", "model": "large",
    "responses": [{"text": "first"}, {"text": "second"}]}]}"#;

/// Returns the agent's state after a turn with each text.
async fn states(dir: &HooksDir, turns: [&str; 2]) -> [Value; 2] {
    let agent = Agent::builder()
        .providers(Script::parse(SCRIPT).expect("a script").providers())
        .hooks(dir.load())
        .config(AgentConfig::default())
        .build()
        .expect("an agent");
    let state = json!({ "notes/old": true, "plan": "ship" });
    let new = NewSession {
        state: state.as_object().cloned().expect("an object"),
        ..NewSession::default()
    };
    let mut session = agent.session(new).await.expect("a session");
    let mut states = turns.map(|_| Value::Null);
    for (text, state) in turns.into_iter().zip(&mut states) {
        session.turn(text).await.expect("a turn");
        *state = Value::Object(session.state());
    }
    states
}

async fn changes(language: Language, file: &str, source: &str) {
    let dir = granted(
        language,
        (file, source),
        r#"agent-state-edit = ["<key>"]"#,
        r#"agent-state-edit = ["risk", "notes/*"]"#,
    );
    let changed = json!({ "risk": { "by": ["my-hook", 1] }, "plan": "ship" });
    let mut refused = changed.clone();
    refused["notes/error"] =
        "denied: the key `plan` is not in this hook's grants.agent-state-edit".into();
    assert_eq!(
        states(&dir, ["risk", "plan"]).await,
        [changed, refused],
        "{language}"
    );
}

#[tokio::test]
async fn a_hook_in_c_changes_the_agents_state() {
    changes(Language::C, "src/hook.c", C).await;
}

#[tokio::test]
async fn a_hook_in_javascript_changes_the_agents_state() {
    changes(Language::JavaScript, "src/hook.js", JAVASCRIPT).await;
}

#[tokio::test]
async fn a_hook_in_typescript_changes_the_agents_state() {
    changes(Language::TypeScript, "src/hook.ts", TYPESCRIPT).await;
}

#[tokio::test]
async fn a_hook_in_python_changes_the_agents_state() {
    changes(Language::Python, "src/hook.py", PYTHON).await;
}
