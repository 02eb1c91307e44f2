import { written } from "./shown.ts";

/** Throws the error of an answer with a value of the wrong type. */
export function wrong(value: unknown, expected: string, answer: string): never {
  throw new TypeError(`\`${answer}\` takes ${expected}, but was given ${written(value)}`);
}
