// Conversions of a text to the value of an outcome at a point.

import { conversation, giveUp, message, retry, switchProvider, text } from "portcullis";

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Returns the value of the outcome `kind` at a point, made of this text. */
export function value(point, kind, said, call) {
  switch (point) {
    case "pre-llm-call":
      return kind === "answer"
        ? { content: [text(said)], stop: { tag: "end-turn" }, usage: NO_USAGE }
        : { model: null, temperature: null, maxOutputTokens: null, tools: null, messages: insert(said) };
    case "pre-step":
      return insert(said);
    case "prompt-compile":
      return { system: said, responseFormat: null, sections: null };
    case "pre-compaction":
      return { keep: keep(said, call.messages), instructions: said };
    case "post-tool-call":
      return { content: said, isError: call.isError };
    case "pre-tool-call":
    case "pre-subagent":
      return kind === "answer" ? { content: said, isError: false } : said;
    case "post-subagent":
    case "llm-delta":
      return said;
    default:
      return [text(said)];
  }
}

function insert(said) {
  return [{ tag: "insert", val: [conversation.len(), message("user", said)] }];
}

function keep(said, messages) {
  return said === "all" ? Array.from({ length: messages }, (_, at) => at) : [messages];
}

/** Returns the answer at `llm-error` that a text names. */
export function decision(said, providers) {
  if (said === "give-up") return giveUp();
  if (said === "retry") return retry(1);
  return switchProvider(providers.at(-1) ?? "");
}
