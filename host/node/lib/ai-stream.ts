import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";

import { PortcullisError } from "./errors.js";

/** Collects a stream into one result. */
export async function collected(result: LanguageModelV4StreamResult): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string }>();
  let end: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;
  let warnings: LanguageModelV4GenerateResult["warnings"] = [];
  const reader = result.stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type: "text" | "reasoning" = part.type === "text-start" ? "text" : "reasoning";
        const begun = { type, text: "" };
        open.set(part.id, begun);
        content.push(begun);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const begun = open.get(part.id);
        if (begun) begun.text += part.delta;
        break;
      }
      case "tool-call":
        content.push(part);
        break;
      case "stream-start":
        warnings = part.warnings;
        break;
      case "finish":
        end = part;
        break;
      case "error":
        throw part.error;
      default:
    }
  }
  if (!end) throw new PortcullisError("the stream of the model ended without `finish`");
  return { content, finishReason: end.finishReason, usage: end.usage, warnings };
}

/** Converts a result to a stream. */
export function streamOf(result: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: result.warnings }];
  result.content.forEach((part, at) => {
    const id = String(at);
    if (part.type === "text") {
      parts.push({ type: "text-start", id }, { type: "text-delta", id, delta: part.text }, { type: "text-end", id });
    } else if (part.type === "reasoning") {
      parts.push({ type: "reasoning-start", id }, { type: "reasoning-delta", id, delta: part.text });
      parts.push({ type: "reasoning-end", id });
    } else if (part.type === "tool-call") {
      parts.push(part);
    }
  });
  parts.push({ type: "finish", finishReason: result.finishReason, usage: result.usage });
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
