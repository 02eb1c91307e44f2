import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, stepCountIs, tool, wrapLanguageModel } from "ai";
import { Hooks } from "portcullis-host";
import { guardTools, portcullisMiddleware } from "portcullis-host/ai";
import { z } from "zod";

const tools = {
  write_file: tool({
    description: "Writes a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `wrote ${path}`,
  }),
};

export async function main(model: LanguageModelV4): Promise<string> {
  const hooks = Hooks.load("hooks");
  return hooks.session("session-1", {}, async (session) => {
    const { text } = await generateText({
      model: wrapLanguageModel({ model, middleware: portcullisMiddleware(session) }),
      tools: guardTools(tools, session),
      stopWhen: stepCountIs(5),
      prompt: "Write a note.",
    });
    return text;
  });
}
