/** What handlers return. */

declare const made: unique symbol;

/** The imports that give one answer, by the names of the handlers of the points where it is legal. */
export type Imports = { readonly [handler: string]: (...values: any[]) => void };

/** What a handler returns. `V` is the value that the call continues with, where there is one. */
export class Outcome<K extends string, V = unknown> {
  declare readonly [made]: { kind: K; value: V };
  // Only declared: fields that are defined too take longer to set.
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

/** One thing that a hook contributes. */
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
    // After one that was given, an illegal one could not be reported: a failure is an answer too.
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
