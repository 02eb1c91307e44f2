// The probe of tests/guests/probe in JavaScript: it performs the configured actions.

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
import { decision, value } from "./values.js";

let calls = 0;

/** Returns the configured action of a point. */
function action(point) {
  const said = configTable()[point] ?? "continue";
  const at = said.indexOf(" ");
  return at < 0 ? [said, ""] : [said.slice(0, at), said.slice(at + 1)];
}

/** Performs the configured action of a point. `now` returns the current text there. */
function act(point, context, call, now = () => "") {
  const [does, rest] = action(point);
  switch (does) {
    case "continue":
      return undefined;
    case "reject":
      return reject("probe", "the probe was told to refuse");
    case "transform":
      return transform(value(point, "transform", rest, call));
    case "append":
      return transform(value(point, "transform", now() + rest, call));
    case "replace":
      if (point === "llm-error") return decision(rest, call.providers);
      return replace(value(point, "replace", rest, call));
    case "answer":
      return answer(value(point, "answer", rest, call));
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
      return panic();
    case "lines":
      for (let line = 1; line <= Number(rest); line++) log.info(`line ${line}`);
      return undefined;
    case "emit":
      for (let one = 0; one < Number(rest); one++) events.emit("event", "0123456789");
      return undefined;
    case "count":
      return transform(value(point, "transform", `${++calls}`, call));
    case "remember":
      return transform(value(point, "transform", `${state.increment("calls", 1)}`, call));
    case "swap":
      return transform(value(point, "transform", swaps().join(" "), call));
    case "remember-and-panic":
      state.increment("calls", 1);
      return panic();
    case "literal":
      return { tag: "continue" };
    case "remember-and-fail":
      state.increment("calls", 1);
      throw "told to";
    case "tell":
      throw JSON.stringify(form({ context, input: call }));
    case "look":
      return transform(value(point, "transform", look(), call));
    default:
      throw new Error(`no action \`${does}\``);
  }
}

/** Returns whether each of some swaps succeeded. The first does, and the others depend on the current state. */
function swaps() {
  const once = { n: 1 };
  return [
    state.swap("once", undefined, once),
    state.swap("once", undefined, 2),
    state.swap("once", { n: 3 }, undefined),
    state.swap("once", once, [2]),
    state.swap("once", [2], undefined),
    state.get("once") === undefined,
  ];
}

/** Traps: a value that is not a string cannot be passed as one. */
function panic() {
  toolCatalog.get({});
}

/** Converts `KIND NAME TEXT` to a contribution. */
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

/** Returns the data that the views show of the call. */
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

/** Returns a value in the contract's JSON form. */
function form(value) {
  if (Array.isArray(value)) return value.map(form);
  if (typeof value !== "object" || value === null) return value;
  if ("tag" in value) return value.val === undefined ? value.tag : { [value.tag]: form(value.val) };
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [kebab(name), form(field)]));
}

const at = (point) => (context, call) => act(point, context, call);

export default defineHook({
  id: "probe",
  description: "Does as its configuration says.",
  kind: "test",

  sessionStart: at("session-start"),
  sessionEnd: at("session-end"),
  preTurn: (context, call) => act("pre-turn", context, call, content.text),
  postTurn: (context, call) => act("post-turn", context, call, content.text),
  turnError: at("turn-error"),
  turnSuspended: at("turn-suspended"),
  turnResumed: at("turn-resumed"),
  promptPolicy: at("prompt-policy"),
  promptContext: at("prompt-context"),
  promptRecall: at("prompt-recall"),
  promptTools: at("prompt-tools"),
  promptCompile: at("prompt-compile"),
  preStep: at("pre-step"),
  postStep: at("post-step"),
  preLlmCall: at("pre-llm-call"),
  llmDelta: (context, call) => act("llm-delta", context, call, content.text),
  postLlmCall: (context, call) => act("post-llm-call", context, call, content.text),
  llmError: at("llm-error"),
  preToolCall: at("pre-tool-call"),
  toolUpdate: at("tool-update"),
  toolUpdateSent: at("tool-update-sent"),
  postToolCall: (context, call) => act("post-tool-call", context, call, toolData.output),
  stateChanged: at("state-changed"),
  messageAdded: at("message-added"),
  preSubagent: at("pre-subagent"),
  postSubagent: at("post-subagent"),
  preCompaction: at("pre-compaction"),
  postCompaction: at("post-compaction"),
  turnStopping: at("turn-stopping"),
  workspaceOpened: at("workspace-opened"),
  workspaceClosed: at("workspace-closed"),
  workspaceEvicted: at("workspace-evicted"),
  workspaceEvictionRetried: at("workspace-eviction-retried"),
  workspaceSnapshotted: at("workspace-snapshotted"),
});
