/** What handlers return. */

declare const made: unique symbol;

/** The imports that give one answer, by the name of the point's handler. */
export type Imports = { readonly [handler: string]: (...values: any[]) => void };

/** One call of an import: an answer, or one of several contributions. */
export class Contribution<K extends string> {
  declare readonly [made]: K;

  constructor(
    readonly name: K,
    readonly imports: Imports,
    readonly values: readonly unknown[],
  ) {}
}

/** What a handler returns. `V` is the value that the call continues with, where there is one. */
export class Outcome<K extends string, V = unknown> {
  declare readonly [made]: { kind: K; value: V };

  constructor(readonly answers: readonly Contribution<string>[]) {}
}

/** The outcome that gives one answer. */
export function one<K extends string, V>(name: K, imports: Imports, ...values: unknown[]): Outcome<K, V> {
  return new Outcome([new Contribution(name, imports, values)]);
}
