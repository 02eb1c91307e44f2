// The JSON schema of the type that a hook's `configOf` is called with, derived by TypeScript's own compiler.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { BuildError } from "./bundle.mjs";
import { inSdk, SDK } from "./sdk.mjs";

/** The property of the SDK's type `Integer`. */
const INTEGER = "portcullis:integer";

/** The limits that a comment may set on a value, by the types of the values. */
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const KEYWORDS = new Map([
  ...NUMBERS.map((keyword) => [keyword, ["number", "integer"]]),
  ["minLength", ["string"]],
  ["maxLength", ["string"]],
  ["pattern", ["string"]],
  ["minItems", ["array"]],
  ["maxItems", ["array"]],
]);

const SUPPORTED =
  "A configuration can hold strings, numbers, `Integer`, booleans, literals, arrays, tuples, objects, `Record<string, …>`, `unknown`, and unions of them.";

/** Returns an esbuild plugin with the module that gives the SDK the schema. */
export function derivedModule(schema) {
  const contents = `import { derive } from "portcullis/serve";\nderive(${JSON.stringify(schema)});`;
  return {
    name: "derived",
    setup(build) {
      build.onResolve({ filter: /^derived:/ }, ({ path }) => ({
        path: path.slice("derived:".length),
        namespace: "derived",
      }));
      build.onLoad({ filter: /.*/, namespace: "derived" }, () => ({ contents, resolveDir: SDK }));
    },
  };
}

/** Returns the schema of the type of the only call of `configOf` in the hook's modules. */
export function schemaOfType(tools, entry) {
  const isTypescript = (file) => /\.[cm]?tsx?$/.test(file) && existsSync(file) && inSdk(file) === undefined;
  const files = [...tools.inputs].filter(isTypescript);
  const notFound = () =>
    new BuildError(
      `${entry}: no call of \`configOf\` was found in a module in TypeScript; in JavaScript, write: config({ words: strings() })`,
    );
  if (files.length === 0) throw notFound();
  const ts = tools.typescript();
  const program = ts.createProgram(files, options(ts, entry));
  const calls = files.flatMap((file) => callsIn(ts, program, program.getSourceFile(file)));
  const [call, another] = calls;
  if (!call) throw notFound();
  if (another) {
    throw new BuildError(
      `${place(another)}: a hook has one configuration, and \`configOf\` is called at ${place(call)} too`,
    );
  }
  const type = call.typeArguments?.[0];
  if (!type)
    throw new BuildError(`${place(call)}: \`configOf\` needs the type of the configuration: configOf<Settings>()`);
  const types = new Types(ts, program);
  const schema = types.root(type);
  if (types.errors.length > 0) throw new BuildError([...types.errors, SUPPORTED].join("\n"));
  return schema;
}

/** Returns the project's own options, with those that the derivation needs. */
function options(ts, entry) {
  const file = ts.findConfigFile(dirname(resolve(entry)), ts.sys.fileExists);
  const { config = {} } = file ? ts.readConfigFile(file, ts.sys.readFile) : {};
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, file ? dirname(file) : dirname(resolve(entry)));
  return {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    ...options,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    paths: { ...options.paths, portcullis: [join(SDK, "src/index.ts")] },
  };
}

/** Returns the calls of the SDK's `configOf` in a module. */
function callsIn(ts, program, source) {
  const checker = program.getTypeChecker();
  const isConfigOf = (expression) => {
    let symbol = checker.getSymbolAtLocation(expression);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const file = symbol?.declarations?.[0]?.getSourceFile().fileName;
    return (
      symbol?.name === "configOf" &&
      file !== undefined &&
      realpathSync(file) === realpathSync(join(SDK, "src/config.ts"))
    );
  };
  const calls = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && isConfigOf(node.expression)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** Returns the place of a node, such as `src/hook.ts:3:5`. */
function place(node) {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${relative("", source.fileName)}:${line + 1}:${character + 1}`;
}

/** The most levels of nested types. */
const DEEPEST = 64;

/** The most letters of a path in a message. */
const LONGEST = 60;

/** The schema in place of a type that cannot have one. */
const REFUSED = Object.freeze({});

/** Converts types to schemas. A type that cannot have a schema is an error. */
class Types {
  errors = [];
  #ts;
  #program;
  #checker;
  #depth = 0;
  #isEndless = false;
  /** The named types that are being read: one may contain its own type. */
  #open = new Set();
  /** The names of the definitions of types that do. */
  #names = new Map();
  #definitions = {};

  constructor(ts, program) {
    this.#ts = ts;
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  /** Returns the schema of the whole table. */
  root(node) {
    const type = this.#checker.getTypeFromTypeNode(node);
    const name = this.#checker.typeToString(type);
    const schema = this.#of(type, { node, path: name });
    const isTable = (this.#definitions[this.#names.get(type)] ?? schema).type === "object";
    if (this.errors.length === 0 && !isTable) {
      this.#refuse(type, { node, path: name }, "the configuration is a table, so its type is that of an object");
    }
    return { ...schema, ...(Object.keys(this.#definitions).length > 0 && { $defs: this.#definitions }) };
  }

  #refuse(type, { node, path }, why) {
    const reason = why ?? `a configuration cannot hold \`${this.#checker.typeToString(type)}\``;
    this.errors.push(`${place(node)}: \`${path}\`: ${reason}`);
    return REFUSED;
  }

  #of(type, at) {
    if (this.#isEndless) return REFUSED;
    if (this.#depth === DEEPEST) {
      this.#isEndless = true;
      const path = at.path.length > LONGEST ? `${at.path.slice(0, LONGEST)}…` : at.path;
      return this.#refuse(type, { ...at, path }, "its type has no end; write `unknown`, or an interface that holds itself");
    }
    this.#depth += 1;
    const schema = this.#canHoldItself(type) ? this.#defined(type, at) : this.#read(type, at);
    this.#depth -= 1;
    return schema;
  }

  /** Returns whether a type has a name by which it can contain its own type. */
  #canHoldItself(type) {
    const isOfParts = type.isUnionOrIntersection() || type.flags & this.#ts.TypeFlags.Object;
    const isList = this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    return isOfParts && (type.aliasSymbol !== undefined || (type.symbol !== undefined && !isList));
  }

  /** Returns the schema of a type. If the type contains itself, it is a definition, and the schema is a reference. */
  #defined(type, at) {
    if (this.#open.has(type) || this.#names.has(type)) return this.#reference(type);
    this.#open.add(type);
    const schema = this.#read(type, at);
    this.#open.delete(type);
    const name = this.#names.get(type);
    if (name === undefined) return schema;
    this.#definitions[name] = schema;
    return this.#reference(type);
  }

  /** Returns a reference to the definition of a type. */
  #reference(type) {
    if (!this.#names.has(type)) {
      const name = (type.aliasSymbol ?? type.symbol).name.replace("__type", "part").replace(/\W/g, "");
      const taken = [...this.#names.values()];
      this.#names.set(type, taken.includes(name) ? `${name}-${taken.length + 1}` : name);
    }
    return { $ref: `#/$defs/${this.#names.get(type)}` };
  }

  #read(type, at) {
    const { TypeFlags } = this.#ts;
    if (type.flags & TypeFlags.Unknown) return {};
    if (type.isUnion()) return this.#union(type.types, at);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] };
    if (type.flags & TypeFlags.BooleanLiteral) return { enum: [this.#checker.typeToString(type) === "true"] };
    if (type.flags & TypeFlags.String) return { type: "string" };
    if (type.flags & TypeFlags.Number) return { type: "number" };
    if (type.flags & TypeFlags.Null) return { type: "null" };
    if (type.isIntersection() && type.getProperty(INTEGER)) return { type: "integer" };
    if (type.flags & TypeFlags.Object || this.#isOfObjects(type)) return this.#object(type, at);
    return this.#refuse(type, at);
  }

  #isOfObjects(type) {
    return type.isIntersection() && type.types.every((part) => part.flags & this.#ts.TypeFlags.Object);
  }

  /** Returns the schema of a union. Its literals become one list of values. */
  #union(types, at) {
    const parts = types.map((type) => this.#of(type, at));
    const values = parts.flatMap((part) => part.enum ?? []);
    const isBoolean = values.includes(true) && values.includes(false);
    const words = isBoolean ? values.filter((value) => typeof value !== "boolean") : values;
    const all = [
      ...parts.filter((part) => part.enum === undefined),
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...(words.length > 0 ? [{ enum: words }] : []),
    ];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  #object(type, at) {
    const checker = this.#checker;
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type);
      return { type: "array", items: this.#of(item, { ...at, path: `${at.path}[]` }) };
    }
    if (checker.isTupleType(type)) return this.#tuple(type, at);
    if (this.#isForeign(type)) return this.#refuse(type, at);
    return {
      type: "object",
      ...this.#described(type.aliasSymbol ?? type.symbol, at),
      ...this.#members(type, at),
    };
  }

  /** Returns whether a type is a function, a class, or one of the language's library. JSON has no such values. */
  #isForeign(type) {
    const isMapped = (type.objectFlags ?? 0) & this.#ts.ObjectFlags.Mapped;
    return (
      type.getCallSignatures().length > 0 ||
      type.getConstructSignatures().length > 0 ||
      type.isClass() ||
      (!isMapped && this.#isOfLibrary(type.symbol))
    );
  }

  #isOfLibrary(symbol) {
    const declarations = symbol?.declarations ?? [];
    return declarations.some((one) => this.#program.isSourceFileDefaultLibrary(one.getSourceFile()));
  }

  #tuple(type, at) {
    const { ElementFlags } = this.#ts;
    const items = this.#checker.getTypeArguments(type);
    if (type.target.elementFlags.some((flags) => flags & (ElementFlags.Rest | ElementFlags.Variadic))) {
      return this.#refuse(type, at);
    }
    const prefixItems = items.map((item, index) => this.#given(item, { ...at, path: `${at.path}[${index}]` }).schema);
    return { type: "array", prefixItems, items: false, minItems: type.target.minLength };
  }

  /** Returns the schema of a type that may include `undefined`, which means that a value may be left out. */
  #given(type, at) {
    const all = type.isUnion() ? type.types : [type];
    const given = all.filter((one) => !(one.flags & this.#ts.TypeFlags.Undefined));
    const isOptional = given.length < all.length;
    if (isOptional && given.length > 1) return { schema: this.#union(given, at), isOptional };
    return { schema: this.#of((isOptional && given[0]) || type, at), isOptional };
  }

  #members(type, at) {
    const { SymbolFlags, TypeFlags } = this.#ts;
    const [properties, required] = [{}, []];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const here = {
        node: property.valueDeclaration ?? property.declarations?.[0] ?? at.node,
        path: `${at.path}.${property.name}`,
      };
      const { schema, isOptional } = this.#given(this.#checker.getTypeOfSymbol(property), here);
      properties[property.name] = { ...schema, ...this.#described(property, here, schema) };
      if (!(property.flags & SymbolFlags.Optional) && !isOptional) required.push(property.name);
    }
    const others = this.#checker.getIndexInfosOfType(type);
    const ofAnyName = others.find(({ keyType }) => keyType.flags & TypeFlags.String);
    if (others.some((info) => info !== ofAnyName)) this.#refuse(type, at);
    const additionalProperties = ofAnyName ? this.#of(ofAnyName.type, { ...at, path: `${at.path}[…]` }) : false;
    // If all keys may have any name, a value is given as a whole.
    const named = Object.keys(properties).length > 0 || !ofAnyName;
    return { ...(named && { properties, required }), additionalProperties };
  }

  /** Returns the schema's keywords from the comment of a property or a type. */
  #described(symbol, at, schema = { type: "object" }) {
    if (!symbol || schema === REFUSED || this.#isOfLibrary(symbol)) return {};
    const said = {};
    const text = (parts) => this.#ts.displayPartsToString(parts).trim();
    const description = text(symbol.getDocumentationComment(this.#checker)).replace(/\s*\n\s*/g, " ");
    if (description !== "") said.description = description;
    for (const { name, text: parts } of symbol.getJsDocTags(this.#checker)) {
      const value = text(parts ?? []);
      if (name === "example") (said.examples ??= []).push(this.#example(value, schema, at));
      else if (name === "deprecated") said.deprecated = true;
      else if (name === "default")
        this.#refuse(undefined, at, "a default is a value: configOf<…>({ key: value }), and not `@default`");
      else if (KEYWORDS.has(name)) said[name] = this.#keyword(name, value, schema, at);
    }
    return said;
  }

  /** Returns the value of an example: JSON, in a block of code or not; a text may be unquoted. */
  #example(text, schema, at) {
    const code = /^```\w*\n(.*)\n```$/s.exec(text)?.[1] ?? text;
    try {
      return JSON.parse(code);
    } catch {
      return schema.type === "string" || schema.enum
        ? code
        : this.#refuse(undefined, at, `\`@example\` is not JSON: ${code}`);
    }
  }

  #keyword(name, text, schema, at) {
    const types = KEYWORDS.get(name);
    if (!types.includes(schema.type)) {
      this.#refuse(undefined, at, `\`@${name}\` is for a value of the type ${types.join(" or ")}`);
    }
    if (name === "pattern") return text;
    const number = Number(text);
    if (text === "" || !Number.isFinite(number)) this.#refuse(undefined, at, `\`@${name}\` needs a number`);
    return number;
  }
}
