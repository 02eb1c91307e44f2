// Guarded agents with the real runner of the OpenAI Agents SDK, whose model is a script.
import assert from "node:assert/strict";
import test from "node:test";

import {
  Agent,
  handoff,
  InputGuardrailTripwireTriggered,
  OutputGuardrailTripwireTriggered,
  run,
  Runner,
  setTracingDisabled,
  tool,
  webSearchTool,
} from "@openai/agents";
import { Refused } from "portcullis-host";
import { guard, guardModel } from "portcullis-host/openai-agents";
import { z } from "zod";

import { load, loadComponent, loadScript } from "./directory.mjs";
import { Script } from "./openai-script.mjs";

setTracingDisabled(true);

/** An agent with a tool that records its paths. */
class Case {
  paths = [];
  model = new Script();
  agent = new Agent({
    name: "tests",
    instructions: "Be brief.",
    model: this.model,
    tools: [
      tool({
        name: "write",
        description: "Writes a file.",
        parameters: z.object({ path: z.string() }),
        execute: async ({ path }) => {
          this.paths.push(path);
          return `wrote ${path}`;
        },
      }),
    ],
  });
}

async function started(hooks, options) {
  const one = new Case();
  const { finalOutput: text } = await hooks.session("s", {}, (session) => run(guard(one.agent, session, options), "Hello"));
  return { one, text };
}

/** Returns the error that a run ends with, and the case. */
async function ended(hooks) {
  const one = new Case();
  const running = hooks.session("s", {}, (session) => run(guard(one.agent, session), "Hello"));
  return { one, error: await running.then(() => assert.fail("it did not end"), (error) => error) };
}

test("a hook changes the arguments", async () => {
  const { one, text } = await started(load({ "pre-tool-call": 'transform {"path":"b"}' }));
  assert.deepEqual([one.paths, one.model.output, text], [["b"], "wrote b", "done"]);
});

test("changed arguments are validated", async () => {
  const { one } = await started(load({ "pre-tool-call": 'transform {"path":1}' }));
  assert.deepEqual(one.paths, []);
});

for (const [action, text] of [["reject", /hook `probe` refused/], ["panic", /failed \(trap\)/], ["ask May it?", /nobody/]]) {
  test(`a tool does not run: ${action}`, async () => {
    const { one } = await started(load({ "pre-tool-call": action }));
    assert.deepEqual(one.paths, []);
    assert.match(one.model.output, text);
  });
}

test("a hook answers in place of the tool, and redacts its output", async () => {
  const answered = await started(load({ "pre-tool-call": "answer from the hook" }));
  assert.deepEqual([answered.one.paths, answered.one.model.output], [[], "from the hook"]);
  const redacted = await started(load({ "post-tool-call": "transform redacted" }));
  assert.deepEqual([redacted.one.paths, redacted.one.model.output], [["a"], "redacted"]);
});

test("a hook's answer passes the hooks after the call", async () => {
  const answer = { "pre-tool-call": "answer from the hook" };
  const changed = await started(load({ ...answer, "post-tool-call": "append , checked" }));
  assert.deepEqual([changed.one.paths, changed.one.model.output], [[], "from the hook, checked"]);
  const withheld = await started(load({ ...answer, "post-tool-call": "reject" }));
  assert.match(withheld.one.model.output, /output was withheld: hook `probe` refused/);
});

for (const [action, text] of [["reject", /hook `probe` refused/], ["append !", /to: Hello!/], ["answer hi", /^hi$/]]) {
  test(`the input guardrail trips: ${action}`, async () => {
    const { one, error } = await ended(load({ "pre-turn": action }));
    assert.ok(error instanceof InputGuardrailTripwireTriggered, error);
    assert.match(error.result.output.outputInfo, text);
    assert.equal(one.model.asked.length, 0);
  });
}

test("the output guardrail trips", async () => {
  for (const action of ["reject", "append !"]) {
    const { error } = await ended(load({ "post-turn": action }));
    assert.ok(error instanceof OutputGuardrailTripwireTriggered, error);
  }
});

test("a refusal ends the run before and after the model", async () => {
  const before = await ended(load({ "pre-llm-call": "reject" }));
  assert.ok(before.error instanceof Refused, before.error);
  assert.equal(before.one.model.asked.length, 0);
  const after = await ended(load({ "post-llm-call": "reject" }));
  assert.match(after.error.message, /The model's answer was withheld/);
  assert.deepEqual(after.one.paths, []);
});

test("a hook changes what the model is asked", async () => {
  const bye = { role: "user", content: [{ text: "Bye" }] };
  const edit = { temperature: 0.5, tools: [], messages: [{ set: [1, bye] }] };
  const { one } = await started(loadScript("pre-llm-call", { transform: edit }));
  const asked = one.model.asked[0];
  assert.deepEqual([asked.modelSettings.temperature, asked.tools], [0.5, []]);
  assert.deepEqual([asked.systemInstructions, asked.input], ["Be brief.", [{ role: "user", content: "Bye" }]]);
});

test("a model that cannot be switched is an error", async () => {
  const hooks = loadScript("pre-llm-call", { transform: { model: "other", messages: [] } });
  const { one, error } = await ended(hooks);
  assert.match(error.message, /switched the model to `other`/);
  assert.equal(one.model.asked.length, 0);
});

test("the model is not called before the turn is decided about", async () => {
  const one = new Case();
  const hooks = loadComponent("sleeper", '[unnamed]\nload = "trusted"\n');
  const session = hooks.open("s");
  await assert.rejects(run(guard(one.agent, session), "100 refuse"), InputGuardrailTripwireTriggered);
  assert.equal(one.model.asked.length, 0);
});

test("a hook changes what the model says", async () => {
  const { one, text } = await started(load({ "post-llm-call": "transform other" }));
  assert.deepEqual([one.paths, text], [[], "other"]);
});

test("a stream shows nothing that a hook withholds", async () => {
  for (const [action, expected] of [["append !", "done!"], ["continue", "done"]]) {
    const one = new Case();
    one.model.answers.shift();
    let shown = "";
    const text = await load({ "post-llm-call": action }).session("s", {}, async (session) => {
      const result = await run(guard(one.agent, session), "Hello", { stream: true });
      for await (const piece of result.toTextStream()) shown += piece;
      await result.completed;
      return result.finalOutput;
    });
    assert.equal(text, expected);
    // A changed text is only in the final response.
    assert.equal(shown, action === "continue" ? "done" : "");
  }
});

test("a person is asked", async () => {
  const hooks = load({ "pre-tool-call": "ask May it?" });
  for (const [decision, paths] of [[true, ["a"]], ["not today", []]]) {
    const approver = async (question) => (assert.equal(question.question, "May it?"), decision);
    assert.deepEqual((await started(hooks, { approver })).one.paths, paths);
  }
});

test("a tool whose call has timed out while a person was asked does not run", async () => {
  const one = new Case();
  one.agent.tools[0].timeoutMs = 1;
  let decide;
  const asked = new Promise((decided) => (decide = decided));
  await load({ "pre-tool-call": "ask May it?" }).session("s", {}, async (session) => {
    await run(guard(one.agent, session, { approver: () => asked }), "Hello");
    assert.match(one.model.output, /timed out/);
    const settled = session.approve.bind(session);
    const approved = new Promise((done) => {
      session.approve = async (verdict) => {
        const decided = await settled(verdict);
        setImmediate(done);
        return decided;
      };
    });
    decide(true);
    await approved;
  });
  assert.deepEqual(one.paths, []);
});

test("a tool of a run that was cancelled does not run", async () => {
  const one = new Case();
  const cancelled = new AbortController();
  const approver = () => (cancelled.abort(), true);
  const running = load({ "pre-tool-call": "ask May it?" }).session("s", {}, (session) =>
    run(guard(one.agent, session, { approver }), "Hello", { signal: cancelled.signal }),
  );
  await running.catch(() => undefined);
  assert.deepEqual(one.paths, []);
});

test("a model that is named is refused without a provider", () => {
  const session = load({}).open("s");
  const agent = new Agent({ name: "tests", model: "large" });
  assert.throws(() => guard(agent, session), /cannot see the model `large`.*`modelProvider`/);
});

for (const [runs, runner] of [
  ["the default runner", undefined],
  ["a runner without a provider", () => new Runner()],
  ["a runner with another provider and model", (other) => new Runner({ model: other, modelProvider: { getModel: () => other } })],
]) {
  for (const [name, stream] of [["large", false], ["", false], ["large", true]]) {
    test(`a model that is ${name ? "named" : "the provider's default"} passes the hooks in ${runs}${stream ? ", in a stream" : ""}`, async () => {
      const one = new Case();
      const other = new Script();
      const names = [];
      const modelProvider = { getModel: (name) => (names.push(name), one.model) };
      const agent = one.agent.clone({ model: name });
      const started = async (actions) => {
        await load(actions).session("s", {}, async (session) => {
          const guarded = guard(agent, session, { modelProvider });
          const result = await (runner ? runner(other).run(guarded, "Hello", { stream }) : run(guarded, "Hello", { stream }));
          await result.completed;
        });
      };
      await assert.rejects(started({ "pre-llm-call": "reject" }), Refused);
      assert.deepEqual([names, one.model.asked.length, other.asked.length], [[], 0, 0]);
      await started({});
      assert.deepEqual([[...new Set(names)], one.paths, other.asked.length], [[name || undefined], ["a"], 0]);
    });
  }
}

test("a model that is named is asked with the settings that the SDK has for the name", async () => {
  for (const model of ["gpt-5", "large", ""]) {
    for (const modelSettings of [{}, { reasoning: { effort: "high" } }, { temperature: 0.5 }]) {
      const [own, guarded] = [new Case(), new Case()];
      const settings = async (one, run) => {
        const modelProvider = { getModel: () => one.model };
        await run(new Runner({ modelProvider, modelSettings }), one.agent.clone({ model }), modelProvider);
        return JSON.stringify(one.model.asked[0].modelSettings, ["reasoning", "effort", "text", "verbosity", "temperature"]);
      };
      const expected = await settings(own, (runner, agent) => runner.run(agent, "Hello"));
      const asked = await settings(guarded, (runner, agent, modelProvider) =>
        load({}).session("s", {}, (session) => runner.run(guard(agent, session, { modelProvider }), "Hello")),
      );
      assert.equal(asked, expected);
    }
  }
});

test("a stored prompt chooses the model where the agent names none", async () => {
  for (const [name, overrides] of [["", false], ["large", true]]) {
    const one = new Case();
    const modelProvider = { getModel: () => one.model };
    const agent = one.agent.clone({ model: name, prompt: { promptId: "p" } });
    await load({}).session("s", {}, (session) => run(guard(agent, session, { modelProvider }), "Hello"));
    assert.equal(one.model.asked[0].overridePromptModel, overrides);
  }
});

test("a model that is found by its name is asked whether to try again", async () => {
  const one = new Case();
  const { getResponse } = one.model;
  const errors = [new Error("busy")];
  one.model.getResponse = async (request) => {
    const error = errors.pop();
    if (error) throw error;
    return getResponse.call(one.model, request);
  };
  one.model.getRetryAdvice = ({ error }) => ({ suggested: error.message === "busy" });
  const retry = { maxRetries: 1, policy: ({ providerAdvice }) => providerAdvice?.suggested ?? false };
  const agent = one.agent.clone({ model: "large", modelSettings: { retry } });
  const options = { modelProvider: { getModel: () => one.model } };
  await load({}).session("s", {}, (session) => run(guard(agent, session, options), "Hello"));
  assert.deepEqual([errors, one.paths], [[], ["a"]]);
});

test("an agent that has no model of its own is refused", () => {
  const session = load({}).open("s");
  assert.throws(() => guard(new Agent({ name: "tests" }), session), /cannot see the default model/);
});

test("an agent that hands over to one that is not guarded is refused", () => {
  const session = load({}).open("s");
  const other = new Agent({ name: "other", model: new Script() });
  const agent = (to) => new Agent({ name: "tests", model: new Script(), handoffs: [to] });
  assert.throws(() => guard(agent(other), session), /cannot see what other does: guard it first/);
  assert.throws(() => guard(agent(handoff(other)), session), /guard it first/);
  for (const to of [guard(other, session), handoff(guard(other, session))]) guard(agent(to), session);
});

test("a guarded model has the abilities of its own", async () => {
  const session = load({}).open("s");
  assert.equal(guardModel(new Script(), session).getRetryAdvice, undefined);
  const model = Object.assign(new Script(), {
    supportsPromptModelSelection: true,
    getRetryAdvice() {
      return { retry: this === model };
    },
  });
  const guarded = guardModel(model, session);
  assert.equal(guarded.supportsPromptModelSelection, true);
  assert.deepEqual(guarded.getRetryAdvice({}), { retry: true });
});

test("a request that is tried again is another attempt of its step", async () => {
  const one = new Case();
  const { getResponse } = Script.prototype;
  let fails = true;
  one.model.getResponse = async function (request) {
    if (fails) {
      fails = false;
      throw new Error("busy");
    }
    return getResponse.call(this, request);
  };
  const retry = { maxRetries: 1, policy: () => true };
  const agent = one.agent.clone({ modelSettings: { retry } });
  await load({}).session("s", {}, async (session) => {
    const attempts = [];
    const { preLlmCall } = session;
    session.preLlmCall = (messages, options) => (attempts.push(options.attempt), preLlmCall.call(session, messages, options));
    await run(guard(agent, session), "Hello");
    assert.deepEqual([attempts, session.step], [[1, 2, 1], 2]);
  });
});

test("tools that hooks cannot see are refused", () => {
  const agent = new Agent({ name: "tests", model: new Script(), tools: [webSearchTool()] });
  const session = load({}).open("s");
  assert.throws(() => guard(agent, session), /cannot see the tools of web_search/);
  assert.equal(guard(agent, session, { allowUnguarded: true }).tools.length, 1);
});
