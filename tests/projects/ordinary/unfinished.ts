import { content, defineHook, proceed, reject } from "portcullis";

/** Waits when the module is loaded, and then asks the host. */
const rules = (async () => {
  await null;
  return content.text();
})();

const done: string[] = [];
let shared: Promise<string> | undefined;

async function load(): Promise<string> {
  for (let at = 0; at < 5; at++) await null;
  return "loaded";
}

async function check(fine: boolean): Promise<void> {
  await null;
  if (!fine) throw new RangeError("the check failed");
}

async function later(what: string): Promise<void> {
  await null;
  done.push(what);
}

async function act(action: string): Promise<string> {
  switch (action) {
    case "rules":
      return await rules;
    case "shared": {
      const fine = shared !== undefined;
      const [value] = await Promise.all([(shared ??= load()), check(fine)]);
      return value;
    }
    case "lost":
      void check(false);
      return "the check was not waited for";
    case "unsettled":
      return await new Promise<string>((resolve) => void check(false).then(() => resolve("fine")));
    case "no list": {
      const promises = { a: check(true) } as unknown as Promise<void>[];
      const taken = [
        () => Promise.all(promises),
        () => Promise.allSettled(promises),
        () => Promise.any(promises),
        () => Promise.race(promises),
        () => Promise.all(5 as unknown as []),
      ].map((take) => take().then(() => "taken", (error: Error) => error.name));
      return (await Promise.all(taken)).join(" ");
    }
    default:
      return done.join(" ");
  }
}

export default defineHook({
  id: "my-hook",
  description: "Starts what it does not wait for.",

  preTurn() {
    const action = content.text();
    if (action === "start") {
      void later("returned");
      return proceed();
    }
    if (action === "start and fail") {
      void later("thrown");
      throw new RangeError("no more");
    }
    if (action === "start a task") {
      queueMicrotask(() => {
        throw new RangeError("the task failed");
      });
      return proceed();
    }
    return act(action).then((said) => reject("done", said));
  },
});
