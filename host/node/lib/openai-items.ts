import { isDeepStrictEqual } from "node:util";

import type { AgentInputItem, AgentOutputItem, ModelRequest, ModelResponse } from "@openai/agents";

import { textOf } from "./content.js";
import type { ContentPart, Message, ToolSpec, Usage } from "./contract.js";
import { PortcullisError } from "./errors.js";

/** An item of the SDK, of any kind. */
type Item = AgentInputItem | AgentOutputItem;

/** Returns the items of an input; a text is a message of the user. */
export const itemsOf = (input: string | AgentInputItem[]): AgentInputItem[] =>
  typeof input === "string" ? [{ role: "user", content: input }] : [...input];

/** Converts an item to a message of the contract. */
export function message(item: Item): Message {
  if ("role" in item) return { role: item.role, content: parts(item) };
  if (item.type !== "function_call_result") return { role: "assistant", content: parts(item) };
  const { callId, name, output } = item;
  const content = typeof output === "string" ? output : "text" in output ? output.text : JSON.stringify(output);
  return { role: "tool", content: [{ toolResult: { callId, name, content, isError: false } }] };
}

/** Returns an item's text, or its tool call. */
export function parts(item: Item): ContentPart[] {
  if ("role" in item) {
    const { content } = item;
    if (typeof content === "string") return [{ text: content }];
    return content.flatMap((part) => ("text" in part ? [{ text: part.text }] : []));
  }
  if (item.type === "reasoning") return item.content.map((part) => ({ thinking: part.text }));
  if (item.type !== "function_call") return [];
  return [{ toolCall: { id: item.callId, name: item.name, arguments: item.arguments } }];
}

/** Returns the text of the last message of the user. */
export function lastText(input: string | AgentInputItem[]): string {
  const last = itemsOf(input).reverse().find((item) => "role" in item && item.role === "user");
  return last ? textOf(parts(last)) : "";
}

/** Returns the items with the messages that hooks left. Unchanged items are the SDK's own. */
export function withMessages(items: AgentInputItem[], after: Message[]): AgentInputItem[] {
  const own = items.map((item) => ({ item, known: message(item) }));
  return after.map((changed) => {
    const at = own.findIndex(({ known }) => isDeepStrictEqual(known, changed));
    return at < 0 ? textItem(changed) : own.splice(at, 1)[0]!.item;
  });
}

function textItem({ role, content }: Message): AgentInputItem {
  if (role === "tool" || content.some((part) => !("text" in part))) {
    throw new PortcullisError(
      "a hook changed a message that is not only text, which this model cannot do; " +
        "remove the hook's grant `transform` at `pre-llm-call`",
    );
  }
  const text = textOf(content);
  return role === "assistant" ? said(text) : { role, content: text };
}

/** Returns the output with the parts that hooks left. Parts that are unchanged or not visible are the SDK's own. */
export function withParts(output: AgentOutputItem[], after: ContentPart[]): AgentOutputItem[] {
  const own = output.map((item) => ({ item, known: parts(item) }));
  const left = own.filter(({ known }) => known.length === 0).map(({ item }) => item);
  for (let rest = after; rest.length > 0; ) {
    const at = own.findIndex(({ known }) => known.length > 0 && isDeepStrictEqual(known, rest.slice(0, known.length)));
    if (at < 0) left.push(written(rest[0]!));
    else left.push(own[at]!.item);
    rest = rest.slice(at < 0 ? 1 : own.splice(at, 1)[0]!.known.length);
  }
  return left;
}

function written(part: ContentPart): AgentOutputItem {
  if ("text" in part) return said(part.text);
  if ("thinking" in part) return { type: "reasoning", content: [{ type: "input_text", text: part.thinking }] };
  if ("toolCall" in part) {
    const { id: callId, name, arguments: text } = part.toolCall;
    return { type: "function_call", callId, name, arguments: text, status: "completed" };
  }
  throw new PortcullisError("a hook added a picture or a result of a tool, which a model cannot say");
}

const said = (text: string) => ({
  type: "message" as const,
  role: "assistant" as const,
  status: "completed" as const,
  content: [{ type: "output_text" as const, text }],
});

/** Converts a tool that the model is offered. */
export const spec = (tool: ModelRequest["tools"][number]): ToolSpec =>
  tool.type === "function"
    ? { name: tool.name, description: tool.description, schema: JSON.stringify(tool.parameters) }
    : { name: tool.name, description: "", schema: "{}" };

/** Converts the usage of a model call. */
export function usage({ usage: used }: ModelResponse): Usage {
  const cached = used.inputTokensDetails.reduce((sum, details) => sum + (details.cached_tokens ?? 0), 0);
  const { inputTokens, outputTokens } = used;
  return { inputTokens, outputTokens, cacheReadTokens: cached, cacheWriteTokens: 0 };
}
