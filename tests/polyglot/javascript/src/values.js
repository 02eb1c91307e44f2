// A text as what a point's outcome carries.

import { conversation, message, text } from "portcullis";

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** What the outcome `kind` of a point carries, made of this text. */
export function value(point, kind, said, input) {
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
      return { keep: keep(said, input.messages), instructions: said };
    case "llm-error":
      return decision(said, input.providers);
    case "post-tool-call":
      return { content: said, isError: input.isError };
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

function decision(said, providers) {
  if (said === "give-up") return { tag: "give-up" };
  if (said === "retry") return { tag: "retry", val: 1 };
  return { tag: "switch-provider", val: { provider: providers.at(-1) ?? "", model: null } };
}
