import { Hooks, refusal } from "portcullis-host";

export async function main(): Promise<void> {
  const hooks = Hooks.load("hooks");
  await hooks.session("session-1", { agent: "my-agent" }, async (session) => {
    const verdict = await session.preToolCall("write_file", { path: "../notes.md" });
    if (verdict.passed) console.log("run it with", JSON.parse(verdict.payload));
    else console.log(refusal("The tool was not run", verdict));
  });
}
