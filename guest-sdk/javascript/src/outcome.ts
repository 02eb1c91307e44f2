/** Outcomes, the results of handlers. */

declare const made: unique symbol;

/** The imports that give one answer, by the names of the handlers of the points where it is legal. */
export type Imports = { readonly [handler: string]: (...values: any[]) => void };

/** An outcome, the result of a handler. `V` is the value that the call continues with, if there is one. */
export class Outcome<K extends string, V = unknown> {
  declare readonly [made]: { kind: K; value: V };
  // The fields are only declared: fields that are also defined take longer to set.
  declare readonly name: string;
  declare readonly imports: Imports;
  declare readonly values: readonly unknown[];

  constructor(name: string, imports: Imports, values: readonly unknown[]) {
    this.name = name;
    this.imports = imports;
    this.values = values;
  }

  /** Gives the answer at the point of this handler. Returns whether there was one. */
  give(handler: string): boolean {
    const give = this.imports[handler];
    if (give === undefined) throw illegal(this.name, handler);
    give.apply(undefined, this.values as unknown[]);
    return true;
  }
}

/** The outcome that gives no answer. */
export const CONTINUE = /* @__PURE__ */ new Outcome<"continue", never>("continue", {}, []);

/** A single contribution of a hook. */
export class Contribution<K extends string> {
  declare readonly [made]: K;

  constructor(
    readonly name: K,
    readonly imports: Imports,
    readonly values: readonly unknown[],
  ) {}
}

/** The outcome that gives several contributions. */
export class Contributions<C extends Contribution<string>> extends Outcome<"contribute", C> {
  constructor(readonly added: readonly C[]) {
    super("contribute", {}, []);
  }

  override give(handler: string): boolean {
    // All are checked first. After one was given, an illegal one could not be reported: a failure is an answer too.
    for (const { name, imports } of this.added) {
      if (imports[handler] === undefined) throw illegal(name, handler);
    }
    for (const { imports, values } of this.added) imports[handler]!(...values);
    return this.added.length > 0;
  }
}

function illegal(name: string, handler: string): TypeError {
  return new TypeError(`\`${name}\` is not an answer of \`${handler}\``);
}
