// The probe of tests/guests/probe in JavaScript: it does as its configuration says.

import {
  agentState,
  answer,
  ask,
  configTable,
  content,
  contextItem,
  contribute,
  conversation,
  defineHook,
  events,
  job,
  keepGoing,
  log,
  note,
  policy,
  prompt,
  reject,
  replace,
  section,
  session,
  state,
  stop,
  toolCatalog,
  toolData,
  tools,
  transform,
  verdict,
} from "portcullis";
import { value } from "./values.js";

let calls = 0;

/** What the configuration says for a point. */
function deed(point) {
  const said = configTable()[point] ?? "continue";
  const at = said.indexOf(" ");
  return at < 0 ? [said, ""] : [said.slice(0, at), said.slice(at + 1)];
}

/** What a point does. `now` is the text in hand there. */
function act(point, context, input, now = () => "") {
  const [does, rest] = deed(point);
  switch (does) {
    case "continue":
      return undefined;
    case "reject":
      return reject("probe", "the probe was told to refuse");
    case "transform":
      return transform(value(point, "transform", rest, input));
    case "append":
      return transform(value(point, "transform", now() + rest, input));
    case "replace":
      return replace(value(point, "replace", rest, input));
    case "answer":
      return answer(value(point, "answer", rest, input));
    case "ask":
      return ask("May it?");
    case "stop":
      return stop(rest, "the probe was told to stop");
    case "keep-going":
      return keepGoing(rest);
    case "contribute":
      return contribute(...rest.split("; ").map(gift));
    case "fail":
      throw rest;
    case "throw":
      return undefined.nothing;
    case "spin":
      for (;;);
    case "hoard":
      for (const all = []; ; ) all.push(new Uint8Array(1 << 20).fill(1));
    case "panic":
      return { tag: "nonsense" };
    case "lines":
      for (let line = 1; line <= Number(rest); line++) log.info(`line ${line}`);
      return undefined;
    case "emit":
      for (let one = 0; one < Number(rest); one++) events.emit("event", "0123456789");
      return undefined;
    case "count":
      return transform(value(point, "transform", `${++calls}`, input));
    case "remember":
      return transform(value(point, "transform", `${state.increment("calls", 1)}`, input));
    case "remember-and-panic":
      state.increment("calls", 1);
      return { tag: "nonsense" };
    case "remember-and-fail":
      state.increment("calls", 1);
      throw "told to";
    case "tell":
      throw JSON.stringify(form({ context, input }));
    case "look":
      return transform(value(point, "transform", look(), input));
    default:
      throw new Error(`no deed \`${does}\``);
  }
}

/** `KIND NAME TEXT` as a contribution. */
function gift(said) {
  const [kind, name, ...words] = said.split(" ");
  const rest = words.join(" ");
  switch (kind) {
    case "policy":
      return policy(name, JSON.parse(rest));
    case "context":
      return contextItem(name, rest);
    case "section":
      return section(name, rest);
    case "tool": {
      const spec = { name, description: "A tool of the probe's.", schema: '{"type":"object"}' };
      return tools("probe-tools", [{ spec, route: { tag: "hook" } }]);
    }
    case "note":
      return note(name, true);
    default:
      return job(name, {});
  }
}

/** What the views show of the call. */
function look() {
  const decided = verdict.current();
  return JSON.stringify([
    content.text(),
    conversation.len(),
    conversation.last()?.role ?? null,
    toolData.input(),
    toolData.output(),
    toolCatalog.names(),
    session.user(),
    prompt.policies().length,
    agentState.get("mood") ?? null,
    decided === null,
  ]);
}

/** A value in the contract's JSON form. */
function form(value) {
  if (Array.isArray(value)) return value.map(form);
  if (typeof value !== "object" || value === null) return value;
  if ("tag" in value) return value.val === undefined ? value.tag : { [value.tag]: form(value.val) };
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [kebab(name), form(field)]));
}

const telling = (point) => (context, input) => act(point, context, input);

export default defineHook({
  id: "probe",
  description: "Does as its configuration says.",
  kind: "test",
  role: "transform",
  contributes: ["policy", "context", "section", "tools", "note", "job"],

  sessionStart: telling("session-start"),
  sessionEnd: telling("session-end"),
  preTurn: (context, input) => act("pre-turn", context, input, content.text),
  postTurn: (context, input) => act("post-turn", context, input, content.text),
  turnError: telling("turn-error"),
  turnSuspended: telling("turn-suspended"),
  turnResumed: telling("turn-resumed"),
  promptPolicy: telling("prompt-policy"),
  promptContext: telling("prompt-context"),
  promptRecall: telling("prompt-recall"),
  promptTools: telling("prompt-tools"),
  promptCompile: telling("prompt-compile"),
  preStep: telling("pre-step"),
  postStep: telling("post-step"),
  preLlmCall: telling("pre-llm-call"),
  llmDelta: (context, input) => act("llm-delta", context, input, content.text),
  postLlmCall: (context, input) => act("post-llm-call", context, input, content.text),
  llmError: telling("llm-error"),
  preToolCall: telling("pre-tool-call"),
  toolUpdate: telling("tool-update"),
  toolUpdateSent: telling("tool-update-sent"),
  postToolCall: (context, input) => act("post-tool-call", context, input, toolData.output),
  stateChanged: telling("state-changed"),
  messageAdded: telling("message-added"),
  preSubagent: telling("pre-subagent"),
  postSubagent: telling("post-subagent"),
  preCompaction: telling("pre-compaction"),
  postCompaction: telling("post-compaction"),
  turnStopping: telling("turn-stopping"),
  workspaceOpened: telling("workspace-opened"),
  workspaceClosed: telling("workspace-closed"),
  workspaceEvicted: telling("workspace-evicted"),
  workspaceEvictionRetried: telling("workspace-eviction-retried"),
  workspaceSnapshotted: telling("workspace-snapshotted"),
});
