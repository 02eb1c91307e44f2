// The examples of the book, with an example hook that refuses paths outside of the working directory.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test, { mock } from "node:test";

import { MockLanguageModelV4 } from "ai/test";

import { directory } from "./directory.mjs";
import { Script } from "./openai-script.mjs";

const place = directory();
mkdirSync(path.join(place, "hooks"));
const pathJail = path.join(process.env.PORTCULLIS_TEST_EXAMPLES, "path-jail.wasm");
copyFileSync(pathJail, path.join(place, "hooks", "path-jail.wasm"));
writeFileSync(path.join(place, "hooks", "hooks.toml"), "[hooks.path-jail]\n");
process.env.XDG_CACHE_HOME = process.env.PORTCULLIS_TEST_CACHE;
process.chdir(place);

test("start", async () => {
  const lines = [];
  mock.method(console, "log", (...line) => lines.push(line.join(" ")));
  await (await import("../examples/start.js")).main();
  mock.restoreAll();
  assert.match(lines.join("\n"), /The tool was not run: hook `path-jail` refused/);
});

test("ai", async () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const common = { usage, warnings: [] };
  const call = { type: "tool-call", toolCallId: "1", toolName: "write_file", input: '{"path":"../notes.md"}' };
  const model = new MockLanguageModelV4({
    doGenerate: [
      { ...common, content: [call], finishReason: { unified: "tool-calls", raw: undefined } },
      { ...common, content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined } },
    ],
  });
  assert.equal(await (await import("../examples/ai.js")).main(model), "done");
  assert.match(model.doGenerateCalls[1].prompt.at(-1).content[0].output.value, /hook `path-jail` refused/);
});

test("openai-agents", async () => {
  const model = new Script("write_file", "../notes.md");
  assert.equal(await (await import("../examples/openai-agents.js")).main(model), "done");
  assert.match(model.output, /hook `path-jail` refused/);
});
