/**
 * Promises whose reactions run before a call ends. The runtime's own queue is never run: a component's
 * export returns before. The build adds this module to hooks that have an `async` function or
 * name `Promise`, with `async` functions as generators.
 */

type Settle = (value: unknown) => void;

/** The jobs to run before the call ends. */
const jobs: (() => void)[] = [];

/** The rejected promises that nothing waits for. */
const unhandled = new Set<HookPromise>();

/** Waits for events outside of the hook. Takes whether the handler has ended; returns whether there are more jobs. */
let idle: (ended: boolean) => boolean = () => false;

/** Sets the function that is called when no jobs are left. */
export function whenIdle(wait: typeof idle): void {
  idle = wait;
}

class HookPromise {
  #state: "pending" | "fulfilled" | "rejected" = "pending";
  #value: unknown = undefined;
  #reactions: (() => void)[] = [];
  #handled = false;

  constructor(executor: (resolve: Settle, reject: Settle) => void) {
    if (typeof executor !== "function") throw new TypeError("a promise takes a function");
    const { resolve, reject } = this.#settlers();
    try {
      executor(resolve, reject);
    } catch (error) {
      reject(error);
    }
  }

  then(onFulfilled?: unknown, onRejected?: unknown): HookPromise {
    return new HookPromise((resolve, reject) => {
      this.#react(() => {
        const fulfilled = this.#state === "fulfilled";
        const handler = fulfilled ? onFulfilled : onRejected;
        try {
          if (typeof handler === "function") resolve(handler(this.#value));
          else if (fulfilled) resolve(this.#value);
          else reject(this.#value);
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  catch(onRejected?: unknown): HookPromise {
    return this.then(undefined, onRejected);
  }

  finally(done?: unknown): HookPromise {
    if (typeof done !== "function") return this.then(done, done);
    const after = (settle: () => unknown) => HookPromise.resolve(done()).then(settle);
    return this.then(
      (value: unknown) => after(() => value),
      (error: unknown) =>
        after(() => {
          throw error;
        }),
    );
  }

  get [Symbol.toStringTag](): string {
    return "Promise";
  }

  /**
   * Runs jobs until none are left. Returns the value of the promise, or throws its reason. A rejection that
   * nothing waits for is thrown too.
   */
  static finish(promise: HookPromise): unknown {
    promise.#handled = true;
    unhandled.delete(promise);
    do {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) job();
    } while (idle(promise.#state !== "pending"));
    const lost = [...unhandled];
    unhandled.clear();
    if (promise.#state === "rejected") throw promise.#value;
    const [first] = lost;
    if (first !== undefined) throw first.#value;
    if (promise.#state === "pending") throw new Error("the handler waits for a promise that nothing settles");
    return promise.#value;
  }

  static resolve(value?: unknown): HookPromise {
    return value instanceof HookPromise ? value : new HookPromise((resolve) => resolve(value));
  }

  static reject(error?: unknown): HookPromise {
    return new HookPromise((_, reject) => reject(error));
  }

  static withResolvers() {
    let settlers = {} as { resolve: Settle; reject: Settle };
    const promise = new HookPromise((resolve, reject) => (settlers = { resolve, reject }));
    return { promise, ...settlers };
  }

  static try(run: (...values: unknown[]) => unknown, ...values: unknown[]): HookPromise {
    return new HookPromise((resolve) => resolve(run(...values)));
  }

  static all(values: Iterable<unknown>): HookPromise {
    return HookPromise.#gather(values, (promise, keep, _, reject) => promise.then(keep, reject));
  }

  static allSettled(values: Iterable<unknown>): HookPromise {
    return HookPromise.#gather(values, (promise, keep) =>
      promise.then(
        (value: unknown) => keep({ status: "fulfilled", value }),
        (reason: unknown) => keep({ status: "rejected", reason }),
      ),
    );
  }

  static race(values: Iterable<unknown>): HookPromise {
    return new HookPromise((resolve, reject) => {
      for (const value of values) HookPromise.resolve(value).then(resolve, reject);
    });
  }

  static any(values: Iterable<unknown>): HookPromise {
    return new HookPromise((resolve, reject) => {
      const errors = HookPromise.#gather(values, (promise, keep) => promise.then(resolve, keep));
      errors.then(
        (errors: unknown) => reject(new AggregateError(errors as unknown[], "all promises were rejected")),
        reject,
      );
    });
  }

  /** Returns a promise of a list: the value that `each` keeps for each promise. */
  static #gather(
    values: Iterable<unknown>,
    each: (promise: HookPromise, keep: Settle, resolve: Settle, reject: Settle) => void,
  ): HookPromise {
    return new HookPromise((resolve, reject) => {
      // `Array.from` is not used, since it makes an empty list of an object that is not iterable.
      const promises = [...values].map((value) => HookPromise.resolve(value));
      const kept: unknown[] = [];
      let left = promises.length;
      if (left === 0) resolve(kept);
      promises.forEach((promise, at) => {
        const keep = (value: unknown) => {
          kept[at] = value;
          if (--left === 0) resolve(kept);
        };
        each(promise, keep, resolve, reject);
      });
    });
  }

  #react(job: () => void): void {
    this.#handled = true;
    unhandled.delete(this);
    if (this.#state === "pending") this.#reactions.push(job);
    else jobs.push(job);
  }

  #settle(state: "fulfilled" | "rejected", value: unknown): void {
    this.#state = state;
    this.#value = value;
    if (state === "rejected" && !this.#handled) unhandled.add(this);
    jobs.push(...this.#reactions);
    this.#reactions = [];
  }

  /** Returns two functions, of which only the first call counts. */
  #settlers(): { resolve: Settle; reject: Settle } {
    let settled = false;
    const once = (settle: Settle) => (value: unknown) => {
      if (settled) return;
      settled = true;
      settle(value);
    };
    const reject = (error: unknown) => this.#settle("rejected", error);
    const resolve = (value: unknown) => {
      if (value === this) return reject(new TypeError("a promise waits for itself"));
      let then: unknown;
      try {
        then = isObject(value) ? (value as { then?: unknown }).then : undefined;
      } catch (error) {
        return reject(error);
      }
      if (typeof then !== "function") return this.#settle("fulfilled", value);
      jobs.push(() => {
        const { resolve, reject } = this.#settlers();
        try {
          then.call(value, resolve, reject);
        } catch (error) {
          reject(error);
        }
      });
    };
    return { resolve: once(resolve), reject: once(reject) };
  }
}

function isObject(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

globalThis.Promise = HookPromise as unknown as PromiseConstructor;
Object.assign(globalThis, {
  queueMicrotask: (job: () => void) => void HookPromise.resolve().then(() => job()),
});

/** Runs a handler, the jobs that it began and those begun before. Returns its result, or the value of its promise. */
export function settled(handler: () => unknown): unknown {
  return HookPromise.finish(HookPromise.try(handler));
}
