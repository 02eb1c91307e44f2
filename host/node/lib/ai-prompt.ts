import { isDeepStrictEqual } from "node:util";

import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ProviderTool,
} from "@ai-sdk/provider";

import { textOf } from "./content.js";
import type { ContentPart, Message, ToolSpec } from "./contract.js";
import { PortcullisError } from "./errors.js";

/** Converts a message to the contract's. */
export function message(given: LanguageModelV4Message): Message {
  if (given.role === "system") return { role: "system", content: [{ text: given.content }] };
  const content = given.content.flatMap((part): ContentPart[] => {
    switch (part.type) {
      case "text":
        return [{ text: part.text }];
      case "reasoning":
        return [{ thinking: part.text }];
      case "tool-call":
        return [{ toolCall: { id: part.toolCallId, name: part.toolName, arguments: JSON.stringify(part.input) } }];
      case "tool-result": {
        const { toolCallId: callId, toolName: name, output } = part;
        const value = "value" in output ? output.value : "";
        const content = typeof value === "string" ? value : JSON.stringify(value);
        return [{ toolResult: { callId, name, content, isError: output.type.startsWith("error") } }];
      }
      default:
        return [];
    }
  });
  return { role: given.role, content };
}

/** Returns the prompt with the messages that hooks left. Unchanged messages are the prompt's own. */
export function withMessages(
  prompt: LanguageModelV4Message[],
  before: Message[],
  after: Message[],
): LanguageModelV4Message[] {
  const left = before.map((known, at) => ({ known, own: prompt[at]! }));
  return after.map((changed) => {
    const at = left.findIndex(({ known }) => isDeepStrictEqual(known, changed));
    return at < 0 ? written(changed) : left.splice(at, 1)[0]!.own;
  });
}

function written({ role, content }: Message): LanguageModelV4Message {
  const text = textOf(content);
  if (role === "system") return { role, content: text };
  if (role === "tool" || content.some((part) => "toolCall" in part)) {
    throw new PortcullisError(
      "a hook changed a message of a tool, which this middleware cannot do; " +
        "remove the hook's grant `transform` at `pre-llm-call`",
    );
  }
  return { role, content: [{ type: "text", text }] };
}

/** Converts a tool that the model is offered. */
export function spec(tool: LanguageModelV4FunctionTool | LanguageModelV4ProviderTool): ToolSpec {
  if (tool.type !== "function") {
    throw new PortcullisError(`hooks cannot see the tool \`${tool.name}\`, which runs at the provider`);
  }
  const { name, description = "", inputSchema } = tool;
  return { name, description, schema: JSON.stringify(inputSchema) };
}
