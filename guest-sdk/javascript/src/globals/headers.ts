/** The headers of requests and responses. */

type Init = Headers | Iterable<readonly [string, string]> | Record<string, string>;

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const NOT_A_VALUE = /[\0\r\n]|[^\0-\xff]/;

export class Headers {
  /** The values by names in lower case. */
  #values = new Map<string, string>();

  constructor(init?: Init) {
    if (init === undefined || init === null) return;
    const entries = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  set(name: string, value: string): void {
    const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    if (NOT_A_VALUE.test(text)) throw new TypeError(`the value of the header \`${name}\` is not valid`);
    this.#values.set(key(name), text);
  }

  get(name: string): string | null {
    return this.#values.get(key(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(key(name));
  }

  delete(name: string): void {
    this.#values.delete(key(name));
  }

  forEach(each: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) each(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function key(name: string): string {
  const key = String(name).toLowerCase();
  // The message leaves out the name: a value may have taken its place.
  if (!NAME.test(key)) throw new TypeError("the name of a header is not valid");
  return key;
}
