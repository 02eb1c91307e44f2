/** Signals that end a request before its response. */

import { start } from "../timer.ts";

class Abort extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export class AbortSignal {
  #aborted = false;
  #reason: unknown = undefined;
  #listeners: (() => void)[] = [];

  /** Returns a signal that is aborted after `ms` milliseconds. */
  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal();
    start(() => AbortSignal.abortNow(signal, new Abort("TimeoutError", `it took longer than ${ms} ms`)), ms, signal);
    return signal;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    AbortSignal.abortNow(signal, reason);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const any = new AbortSignal();
    for (const signal of signals) {
      const abort = () => AbortSignal.abortNow(any, signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort);
    }
    return any;
  }

  /** Aborts a signal, for `AbortController`. */
  static abortNow(signal: AbortSignal, reason: unknown = new Abort("AbortError", "it was aborted")): void {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason;
    for (const listener of signal.#listeners.splice(0)) listener();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  addEventListener(type: "abort", listener: () => void): void {
    if (type === "abort") this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason?: unknown): void {
    AbortSignal.abortNow(this.signal, reason);
  }
}
