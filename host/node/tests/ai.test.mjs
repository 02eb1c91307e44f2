// Tests of the middleware and the tools with the real AI SDK and its mock model.
import assert from "node:assert/strict";
import test from "node:test";

import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { guardTools, portcullisMiddleware } from "portcullis-host/ai";

import { load, loadScript } from "./directory.mjs";

const usage = { inputTokens: { total: 3 }, outputTokens: { total: 1 } };
const calls = { type: "tool-call", toolCallId: "1", toolName: "write", input: '{"path":"a"}' };
const done = { type: "text", text: "done" };
const result = (part) => ({
  content: [part],
  finishReason: { unified: part === done ? "stop" : "tool-calls", raw: undefined },
  usage,
  warnings: [],
});
const schema = (validate) =>
  jsonSchema({ type: "object", properties: { path: { type: "string" } }, required: ["path"] }, { validate });

/** A model that calls the tool once and then ends, and a tool that records its paths. */
class Case {
  paths = [];
  model = new MockLanguageModelV4({ doGenerate: [result(calls), result(done)] });
  tools = {
    write: tool({
      inputSchema: schema((value) =>
        typeof value.path === "string" ? { success: true, value } : { success: false, error: new Error("no path") },
      ),
      execute: async ({ path }) => {
        this.paths.push(path);
        return `wrote ${path}`;
      },
    }),
  };

  run(session, options, abortSignal) {
    return generateText({
      abortSignal,
      model: wrapLanguageModel({ model: this.model, middleware: portcullisMiddleware(session, options) }),
      tools: guardTools(this.tools, session, options),
      stopWhen: stepCountIs(3),
      prompt: "Hello",
    });
  }

  /** The tool's output that the model received. */
  get output() {
    return this.model.doGenerateCalls[1].prompt.at(-1).content[0].output;
  }
}

async function run(hooks, options) {
  const one = new Case();
  const { text } = await hooks.session("s", {}, (session) => one.run(session, options));
  return { one, text };
}

test("a hook changes the arguments", async () => {
  const { one, text } = await run(load({ "pre-tool-call": 'transform {"path":"b"}' }));
  assert.deepEqual(one.paths, ["b"]);
  assert.equal(one.output.value, "wrote b");
  assert.equal(text, "done");
});

test("changed arguments are validated", async () => {
  const { one } = await run(load({ "pre-tool-call": 'transform {"path":1}' }));
  assert.deepEqual(one.paths, []);
  assert.match(one.output.value, /which the tool does not take/);
});

for (const [action, text] of [["reject", /hook `probe` refused/], ["panic", /failed \(trap\)/]]) {
  test(`a tool does not run: ${action}`, async () => {
    const { one } = await run(load({ "pre-tool-call": action }));
    assert.deepEqual(one.paths, []);
    assert.match(one.output.value, text);
  });
}

test("a tool of a call that was cancelled does not run", async () => {
  const one = new Case();
  const cancelled = new AbortController();
  const approver = () => (cancelled.abort(), true);
  const hooks = load({ "pre-tool-call": "ask May it?" });
  const running = hooks.session("s", {}, (session) => one.run(session, { approver }, cancelled.signal));
  await running.catch(() => undefined);
  assert.deepEqual(one.paths, []);
});

test("a hook answers in place of the tool", async () => {
  const { one } = await run(load({ "pre-tool-call": "answer from the hook" }));
  assert.deepEqual(one.paths, []);
  assert.equal(one.output.value, "from the hook");
});

test("hooks change the output, the prompt and the answer", async () => {
  const { one, text } = await run(
    load({ "post-tool-call": "append !", "pre-turn": "append , you", "post-turn": "append ?" }),
  );
  assert.equal(one.output.value, "wrote a!");
  assert.deepEqual(one.model.doGenerateCalls[0].prompt[0].content, [{ type: "text", text: "Hello, you" }]);
  assert.equal(text, "done?");
});

for (const point of ["pre-turn", "pre-llm-call"]) {
  test(`what is refused calls no model: ${point}`, async () => {
    const { one, text } = await run(load({ [point]: "reject" }));
    assert.equal(one.model.doGenerateCalls.length, 0);
    assert.match(text, /hook `probe` refused/);
  });
}

test("an answer is withheld", async () => {
  const { text } = await run(load({ "post-turn": "reject" }));
  assert.match(text, /The answer was withheld: hook `probe` refused/);
});

test("a hook changes what the model is asked", async () => {
  const bye = { role: "user", content: [{ text: "Bye" }] };
  const edit = { temperature: 0.5, tools: [], messages: [{ set: [0, bye] }] };
  const { one } = await run(loadScript("pre-llm-call", { transform: edit }));
  const asked = one.model.doGenerateCalls[0];
  assert.deepEqual([asked.temperature, asked.tools], [0.5, []]);
  assert.equal(asked.prompt[0].content[0].text, "Bye");
});

test("a model that cannot be switched is an error", async () => {
  const hooks = loadScript("pre-llm-call", { transform: { model: "other", messages: [] } });
  await assert.rejects(run(hooks), /switched the model/);
});

test("a hook changes what the model says", async () => {
  const { one, text } = await run(load({ "post-llm-call": "transform other" }));
  assert.deepEqual([one.paths, text], [[], "other"]);
});

test("a person is asked", async () => {
  const hooks = load({ "pre-tool-call": "ask May it?" });
  for (const [decision, paths] of [[true, ["a"]], ["not today", []]]) {
    const approver = async (question) => (assert.equal(question.question, "May it?"), decision);
    assert.deepEqual((await run(hooks, { approver })).one.paths, paths);
  }
});

test("a stream shows nothing that a hook withholds", async () => {
  const chunks = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "sec" },
    { type: "text-delta", id: "0", delta: "ret" },
    { type: "text-end", id: "0" },
    { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
  ];
  for (const [action, expected] of [["continue", /^secret$/], ["reject", /^\[The model's answer was withheld/]]) {
    const stream = () =>
      new ReadableStream({
        start(controller) {
          chunks.forEach((chunk) => controller.enqueue(chunk));
          controller.close();
        },
      });
    const model = new MockLanguageModelV4({ doStream: async () => ({ stream: stream() }) });
    const hooks = load({ "post-llm-call": action });
    const text = await hooks.session("s", {}, (session) => {
      const middleware = portcullisMiddleware(session);
      return streamText({ model: wrapLanguageModel({ model, middleware }), prompt: "Hello" }).text;
    });
    assert.match(text, expected);
  }
});

test("tools that hooks cannot see are refused", async () => {
  const session = load({}).open("s");
  assert.throws(() => guardTools({ client: tool({ inputSchema: schema() }) }, session), /cannot see the tool `client`/);
});
