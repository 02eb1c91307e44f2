import { config, defineHook, proceed, reject, string, toolData } from "portcullis";

const settings = config({ url: string() });

export default defineHook({
  id: "policy-server",
  description: "Asks a policy server whether a tool may run.",
  config: settings,

  async preToolCall(context, call) {
    const input = { session: context.sessionId, tool: call.name, arguments: toolData.args() };
    const response = await fetch(settings().url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input }),
    });
    if (!response.ok) throw new Error(`the policy server answered with status ${response.status}`);
    const { result } = await response.json();
    if (result === undefined) throw new Error("the policy server has no such policy");
    return result.allow === true ? proceed() : reject("policy", result.reason ?? "The policy does not allow this call.");
  },
});
