// Tests of the host in Node.js, with real components.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import { Hooks, LoadError, NoQuestionError, Refused, RequestError, StoreError, textOf } from "portcullis-host";

import { directory, hooksDirectory, load, loadComponent, probe } from "./directory.mjs";

test("a hook changes the arguments", async () => {
  const hooks = load({ "pre-tool-call": 'transform {"path":"b"}' });
  const verdict = await hooks.session("s", {}, (session) => session.preToolCall("write", { path: "a" }));
  assert.deepEqual([verdict.kind, verdict.passed, verdict.by], ["transform", true, ["probe"]]);
  assert.deepEqual(JSON.parse(verdict.payload), { path: "b" });
});

test("a refusal says who and why", async () => {
  const hooks = load({ "pre-turn": "reject no \x1b[31m", "pre-tool-call": "panic" });
  await hooks.session("s", {}, async (session) => {
    const refused = await session.preTurn("Hello");
    assert.deepEqual([refused.kind, refused.passed, refused.by], ["reject", false, ["probe"]]);
    assert.match(refused.reason, /no/);
    assert.doesNotMatch(refused.reason, /\x1b/);
    assert.equal(refused.runs[0].outcome, "reject");
    assert.ok(refused.runs[0].latencyUs >= 0);
    const failed = await session.preToolCall("write", {});
    assert.deepEqual([failed.kind, failed.code], ["failed", "trap"]);
  });
});

test("every method calls its point", async () => {
  const hooks = load({
    "pre-turn": "append !", "post-turn": "append ?", "post-llm-call": "append .", "post-tool-call": "append ;",
  });
  await hooks.session("s", { model: "large" }, async (session) => {
    assert.equal(textOf((await session.preTurn("a")).payload), "a!");
    const { call, messages } = (await session.preLlmCall([{ role: "user", content: [{ text: "a" }] }])).payload;
    assert.equal(call.model, "large");
    assert.equal(call.estimatedTokens, 0);
    assert.equal(messages[0].role, "user");
    assert.equal(textOf((await session.postLlmCall("b")).payload), "b.");
    const output = (await session.postToolCall("write", {}, "c", { isError: true })).payload;
    assert.deepEqual(output, { content: "c;", isError: true });
    assert.equal(textOf((await session.postTurn("d")).payload), "d?");
    assert.deepEqual([session.turn, session.step], [1, 1]);
  });
});

test("a question is answered", async () => {
  const hooks = load({ "pre-tool-call": "ask May it?" });
  await hooks.session("s", {}, async (session) => {
    const asked = await session.preToolCall("write", { path: "a" });
    assert.deepEqual([asked.kind, asked.questions[0].question], ["pending", "May it?"]);
    assert.equal((await session.approve(asked)).kind, "continue");
    await assert.rejects(session.approve(asked), NoQuestionError);
    const again = await session.preToolCall("write", { path: "a" });
    assert.equal((await session.deny(again, "not today")).kind, "reject");
  });
});

test("a session is refused at its start", async () => {
  const hooks = load({ "session-start": "reject" });
  await assert.rejects(hooks.session("s", {}, () => assert.fail("it was not refused")), Refused);
  assert.equal(hooks.openSessions, 0);
});

test("mistakes are named", async () => {
  const session = load({}).open("s");
  await assert.rejects(session.call("pre-tur", {}), { name: "RequestError", message: /did you mean `pre-turn`/ });
  await assert.rejects(session.call("pre-turn", { textByte: 1, parts: 1 }), RequestError);
  await assert.rejects(load({}).open("").preTurn("a"), /256 bytes/);
  assert.throws(() => Hooks.load("hooks", { store: "mysql://a" }), StoreError);
  const broken = directory();
  writeFileSync(path.join(broken, "broken.wasm"), "\0asm");
  assert.throws(() => Hooks.load(broken), (error) => error instanceof LoadError && /broken\.wasm/.test(error.message));
});

test("a mistake in a value is named by its place", async () => {
  const session = load({}).open("s");
  const input = { textBytes: 1, parts: 1 };
  await assert.rejects(session.call("pre-turn", { ...input, textByte: 1 }), /no such key here; did you mean `text-bytes`/);
  await assert.rejects(session.call("pre-turn", input, { toolData: { outptu: "a" } }), /`\/tool-data\/outptu`: .* did you mean `output`/);
  let agentState = { values: {}, diff: {} };
  for (let depth = 0; depth < 200; depth += 1) agentState = { values: { agentState }, diff: {} };
  await assert.rejects(session.call("pre-turn", input, { agentState }), { name: "RequestError", message: /recursion/ });
});

test("what hooks remember is in the store", async () => {
  const hooks = hooksDirectory("probe", probe({ "pre-turn": "remember" }));
  const store = `sqlite:${path.join(directory(), "store.sqlite")}`;
  const texts = [];
  for (let at = 0; at < 2; at += 1) {
    const loaded = Hooks.load(hooks, { store, cache: process.env.PORTCULLIS_TEST_CACHE });
    texts.push(textOf((await loaded.open("s").preTurn("a")).payload));
    await loaded.close();
  }
  assert.notEqual(texts[0], texts[1]);
});

test("the agent's own keys are not renamed", async () => {
  const agentState = { values: { mood: { ownKey: 1 } }, diff: { myKey: 1 } };
  const verdict = await load({ "pre-turn": "look" })
    .open("s")
    .call("pre-turn", { textBytes: 0, parts: 0 }, { agentState });
  assert.match(JSON.stringify(verdict.payload), /ownKey.*myKey/);
});

test("the keys of a hook's changes of the agent's state are not renamed", async () => {
  const hooks = loadComponent("editor", '[hooks.editor.grants]\nevents = true\nagent-state-edit = ["user-name"]\n');
  const verdict = await hooks.open("s").preTurn('set user-name {"first-name": "A"}');
  const [{ value }] = verdict.contributions.sideOutputs;
  // The following keys have JavaScript's names again.
  assert.equal(typeof verdict.runs[0].latencyUs, "number");
  assert.deepEqual(value.stateEdits, { "user-name": { "first-name": "A" } });
});

test("a hook that waits leaves the event loop to others", async () => {
  const hooks = loadComponent("sleeper", '[hooks.sleeper.limits]\nwall-ms = 600000\n[unnamed]\nload = "trusted"\n');
  let done = false;
  // This call is still asleep when the process ends.
  hooks.open("long").preTurn("600000").then(() => (done = true), () => (done = true));
  assert.equal((await hooks.open("short").preTurn("1 refuse")).kind, "reject");
  assert.equal(done, false);
});

test("a component is compiled in a child process", () => {
  const hooks = hooksDirectory("probe", `[engine]\ncompile-memory-bytes = 1\n${probe({})}`);
  assert.throws(() => Hooks.load(hooks, { cache: directory() }), /memory/);
  Hooks.load(hooks, { cache: directory(), compileInChild: false });
});

test("log lines and jobs are handed to the caller", async () => {
  const lines = [];
  const jobs = [];
  const actions = { "pre-turn": "lines 2", "post-turn": "contribute job tidy" };
  const hooks = load(actions, { onLog: (line) => lines.push(line), onJob: (job) => jobs.push(job) });
  await hooks.session("s", {}, async (session) => {
    await session.preTurn("a");
    await session.postTurn("b");
  });
  assert.deepEqual(jobs.map(({ session, hook, input }) => [session, hook, JSON.parse(input)]), [["s", "probe", {}]]);
  while (lines.length < 2) await new Promise((next) => setImmediate(next));
  assert.deepEqual([lines[0].hook, typeof lines[0].message], ["probe", "string"]);
});

test("hooks are loaded again", async () => {
  const made = hooksDirectory("probe", probe({ "pre-turn": "continue" }));
  const hooks = Hooks.load(made, { cache: process.env.PORTCULLIS_TEST_CACHE });
  const session = hooks.open("s");
  assert.equal((await session.preTurn("a")).kind, "continue");
  writeFileSync(path.join(made, "hooks.toml"), probe({ "pre-turn": "reject" }));
  assert.deepEqual(await hooks.reload(), { changed: ["probe"], kept: [], errors: [] });
  assert.equal((await session.preTurn("a")).kind, "reject");
  writeFileSync(path.join(made, "hooks.toml"), "[");
  assert.match((await hooks.reload()).errors[0], /hooks\.toml/);
  assert.equal((await session.preTurn("a")).kind, "reject");
});

test("a call is part of the caller's trace", async () => {
  const made = directory();
  const told = JSON.stringify(["sh", "-c", "echo [$TRACEPARENT $TRACESTATE $BAGGAGE] >&2; exit 2"]);
  writeFileSync(path.join(made, "hooks.toml"), `[scripts.told]\ncommand = ${told}\npoints = ["pre-turn"]\n`);
  const hooks = Hooks.load(made);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const trace = { traceparent, tracestate: "a=1", baggage: "tenant=7", b3: "0" };
  await hooks.session("s", { trace }, async (session) => {
    assert.equal((await session.preTurn("Hello")).reason, `[${traceparent} a=1 tenant=7]`);
    session.trace = { traceparent: "00-0-0-00" };
    assert.equal((await session.preTurn("Hello")).reason, "[ ]");
    session.trace = undefined;
    assert.equal((await session.preTurn("Hello")).reason, "[ ]");
  });
});
