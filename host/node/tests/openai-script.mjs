// A scripted model of the OpenAI Agents SDK.
import { Usage } from "@openai/agents";

/** A model that calls a tool once with a path, and ends. It records its requests. */
export class Script {
  asked = [];

  constructor(tool = "write", path = "a") {
    const text = { type: "output_text", text: "done" };
    this.answers = [
      { type: "function_call", callId: "1", name: tool, arguments: JSON.stringify({ path }), status: "completed" },
      { type: "message", role: "assistant", status: "completed", content: [text] },
    ];
  }

  async getResponse(request) {
    this.asked.push(request);
    return { output: [this.answers.shift()], usage: new Usage() };
  }

  async *getStreamedResponse(request) {
    const { output } = await this.getResponse(request);
    for (const part of output[0].content ?? []) yield { type: "output_text_delta", delta: part.text };
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: "response_done", response: { id: "r", usage, output } };
  }

  /** The tool's output that the model received. */
  get output() {
    return this.asked[1].input.at(-1).output.text;
  }
}
