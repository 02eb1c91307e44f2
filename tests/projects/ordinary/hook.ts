import { content, defineHook, reject } from "portcullis";

interface Kept {
  at: number;
}

class Clock {
  async read(): Promise<Kept> {
    return { at: Date.now() };
  }
}

function inner(count: number): never {
  throw new RangeError(`boom ${count}`);
}

async function act(action: string): Promise<string> {
  switch (action) {
    case "print":
      console.log("out", 1);
      console.info("no end");
      console.error("err");
      return "";
    case "time": {
      const [{ at }, date] = await Promise.all([new Clock().read(), Promise.resolve(new globalThis.Date())]);
      return String(Math.min(at, date.getTime(), globalThis.Date.now()));
    }
    case "random":
      return `${Math.random()} ${crypto.randomUUID()}`;
    case "wait":
      return await new Promise<string>(() => {});
    default:
      return inner(3);
  }
}

export default defineHook({
  id: "my-hook",
  description: "Does what people do.",

  async preTurn() {
    return reject("done", await act(content.text()));
  },
});
