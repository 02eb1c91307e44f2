import { content, defineHook, reject } from "portcullis";

const later = (ms: number, said?: string) => new Promise<string>((resolve) => setTimeout(resolve, ms, said));

async function act(action: string, ms: number): Promise<string> {
  const said: string[] = [];
  switch (action) {
    case "sleep": {
      const begun = performance.now();
      await later(ms);
      return performance.now() - begun >= ms ? "slept" : "woke early";
    }
    case "order":
      setTimeout(() => said.push("first"), 50 * ms);
      setTimeout(() => said.push("second"), ms);
      await later(100 * ms);
      return said.join(" ");
    case "cleared": {
      clearTimeout(setTimeout(() => said.push("the one"), ms));
      setTimeout(() => said.push("the other"), ms);
      await later(50 * ms);
      return said.join(" ");
    }
    case "left":
      setTimeout(() => {
        throw new Error("it has run");
      }, ms);
      return "at once";
    case "large": {
      const large = new Uint8Array(4_000_000);
      setTimeout(() => large.fill(1), ms);
      return "at once";
    }
    default:
      throw new RangeError(action);
  }
}

export default defineHook({
  id: "my-hook",
  description: "Waits.",

  async preTurn() {
    const [action = "", ms] = content.text().split(" ");
    return reject("said", await act(action, Number(ms)));
  },
});
