import { content, defineHook, log, reject } from "portcullis";

const { random } = Math;
const LOADED = random();

function deep(count: number): never {
  if (count > 0) deep(count - 1);
  throw new RangeError("deep");
}

function chain(count: number): Error {
  return new Error(`cause ${count}`, count < 9 ? { cause: chain(count + 1) } : {});
}

export default defineHook({
  id: "my-hook",
  description: "Fails, and draws random numbers.",

  preTurn() {
    switch (content.text()) {
      case "own cause": {
        const error = new RangeError("circular");
        error.cause = error;
        throw error;
      }
      case "cause with it": {
        const error = new RangeError("circular");
        error.cause = { error };
        throw error;
      }
      case "chain":
        throw chain(0);
      case "deep":
        return deep(40);
      case "show": {
        const self: Record<string, unknown> = {};
        self["self"] = self;
        console.log("%d of %s%% %o", 2, 3, { a: 1 }, "more");
        console.log(self, new Map([["a", 1]]), new Set([1]), [1n, undefined, null, Symbol("x")], new Uint8Array([1, 2]));
        console.group("in");
        console.log("a group");
        console.groupEnd();
        console.count("calls");
        console.table([{ a: 1 }]);
        try {
          (undefined as unknown as { x: number }).x;
        } catch (error) {
          console.error("it failed", error);
          log.error("fields", { big: 1n, error });
        }
        return reject("done", "shown");
      }
      case "object": {
        const thrown: Record<string, unknown> = { code: 5 };
        thrown["self"] = thrown;
        throw thrown;
      }
      case "aggregate":
        throw new AggregateError([new Error("first"), 5], "both");
      case "taken early":
        return reject("done", `${LOADED} ${random()}`);
      case "taken late":
        return reject("done", `${globalThis.Math.random()}`);
      default: {
        const numbers = crypto.getRandomValues(new Uint8Array((64 << 10) + 100));
        const ends = [numbers.subarray(0, 32), numbers.subarray(-32)];
        return reject("done", ends.map((end) => end.some((number) => number !== 0)).join(" "));
      }
    }
  },
});
