import { written } from "./shown.ts";

/** Throws that an answer was given a value of another type. */
export function wrong(value: unknown, expected: string, answer: string): never {
  throw new TypeError(`\`${answer}\` takes ${expected}, but was given ${written(value)}`);
}
