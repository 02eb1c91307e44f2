import { Agent, run, tool, type Model } from "@openai/agents";
import { Hooks } from "portcullis-host";
import { guard } from "portcullis-host/openai-agents";
import { z } from "zod";

const writeFile = tool({
  name: "write_file",
  description: "Writes a file.",
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `wrote ${path}`,
});

export async function main(model: Model): Promise<string> {
  const hooks = Hooks.load("hooks");
  return hooks.session("session-1", {}, async (session) => {
    const agent = guard(new Agent({ name: "my-agent", model, tools: [writeFile] }), session);
    const result = await run(agent, "Write a note.");
    return result.finalOutput ?? "";
  });
}
