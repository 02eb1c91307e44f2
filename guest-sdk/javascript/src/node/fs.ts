/** `node:fs`, limited to the needs of hooks: the files of the granted directories. */

import type { DescriptorType } from "wasi:filesystem/types@0.2.0";
import { decodeText, encodeText } from "../utf8.ts";
import { drop } from "../drop.ts";
import { at, FileError, open, readAll, writeAll } from "./files.ts";

/** The encodings of a file's text. Without one, a file's bytes are returned. */
export type Encoding = "utf8" | "utf-8";
type Options = Encoding | { encoding?: Encoding | null } | null;

export function readFileSync(path: string, options: Encoding | { encoding: Encoding }): string;
export function readFileSync(path: string, options?: { encoding?: null } | null): Uint8Array<ArrayBuffer>;
export function readFileSync(path: string, options?: Options): string | Uint8Array<ArrayBuffer> {
  const bytes = at("open", path, (place) => open(place, { write: false }, readAll));
  return encoding(options) === null ? bytes : decodeText(bytes);
}

/** Replaces the content of a file, and creates the file if there is none. */
export function writeFileSync(path: string, data: string | Uint8Array, options?: Options): void {
  encoding(options);
  at("open", path, (place) =>
    open(place, { write: true, open: { create: true, truncate: true } }, (file) => writeAll(file, bytesOf(data), 0)),
  );
}

/** Appends to a file, and creates the file if there is none. */
export function appendFileSync(path: string, data: string | Uint8Array, options?: Options): void {
  encoding(options);
  at("open", path, (place) =>
    open(place, { write: true, open: { create: true } }, (file) => {
      const { size } = place.dir.statAt({ symlinkFollow: true }, place.below);
      writeAll(file, bytesOf(data), size);
    }),
  );
}

/** An entry of a directory. */
export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly #type: DescriptorType;

  constructor(name: string, parentPath: string, type: DescriptorType) {
    this.name = name;
    this.parentPath = parentPath;
    this.#type = type;
  }

  isFile = () => this.#type === "regular-file";
  isDirectory = () => this.#type === "directory";
  isSymbolicLink = () => this.#type === "symbolic-link";
}

export function readdirSync(path: string, options: { withFileTypes: true }): Dirent[];
export function readdirSync(path: string, options?: { withFileTypes?: false } | Encoding): string[];
export function readdirSync(path: string, options?: { withFileTypes?: boolean } | Encoding): string[] | Dirent[] {
  const found: Dirent[] = at("scandir", path, (place) =>
    open(place, { write: false, open: { directory: true } }, (dir) => {
      const [entries, found] = [dir.readDirectory(), [] as Dirent[]];
      try {
        for (let entry = entries.readDirectoryEntry(); entry !== null; entry = entries.readDirectoryEntry()) {
          found.push(new Dirent(entry.name, path, entry.type));
        }
      } finally {
        drop(entries);
      }
      return found;
    }),
  );
  found.sort((one, other) => (one.name < other.name ? -1 : 1));
  const typed = typeof options === "object" && options.withFileTypes === true;
  return typed ? found : found.map(({ name }) => name);
}

/** The metadata of a file. */
export interface Stats {
  /** The size in bytes. */
  size: number;
  /** The time of the last change, in milliseconds since 1970. */
  mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function statSync(path: string): Stats {
  return stat("stat", path, true);
}

/** Returns the metadata of a link itself. */
export function lstatSync(path: string): Stats {
  return stat("lstat", path, false);
}

function stat(syscall: string, path: string, symlinkFollow: boolean): Stats {
  const { type, size, dataModificationTimestamp } = at(syscall, path, ({ dir, below }) => dir.statAt({ symlinkFollow }, below));
  const { seconds, nanoseconds } = dataModificationTimestamp ?? { seconds: 0, nanoseconds: 0 };
  return {
    size,
    mtimeMs: seconds * 1000 + nanoseconds / 1e6,
    isFile: () => type === "regular-file",
    isDirectory: () => type === "directory",
    isSymbolicLink: () => type === "symbolic-link",
  };
}

export function existsSync(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

export function mkdirSync(path: string, options?: { recursive?: boolean }): void {
  const make = (path: string) => at("mkdir", path, ({ dir, below }) => dir.createDirectoryAt(below));
  if (!options?.recursive) return make(path);
  const names = path.replace(/\/+$/, "").split("/");
  for (let count = 1; count <= names.length; count++) {
    const part = names.slice(0, count).join("/");
    if (part === "") continue;
    if (existsSync(part)) {
      if (count === names.length && !statSync(part).isDirectory()) throw new FileError("exist", "mkdir", path);
      continue;
    }
    try {
      make(part);
    } catch (error) {
      // A directory above a granted one does not exist for the hook.
      if (count === names.length || !(error instanceof FileError && error.code === "ENOENT")) throw error;
    }
  }
}

export function rmdirSync(path: string): void {
  at("rmdir", path, ({ dir, below }) => dir.removeDirectoryAt(below));
}

export function unlinkSync(path: string): void {
  at("unlink", path, ({ dir, below }) => dir.unlinkFileAt(below));
}

export function rmSync(path: string, options?: { recursive?: boolean; force?: boolean }): void {
  let isDirectory: boolean;
  try {
    isDirectory = lstatSync(path).isDirectory();
  } catch (error) {
    if (options?.force && error instanceof FileError && error.code === "ENOENT") return;
    throw error;
  }
  if (!isDirectory) return unlinkSync(path);
  if (!options?.recursive) throw new FileError("is-directory", "rm", path);
  for (const name of readdirSync(path)) rmSync(`${path}/${name}`, options);
  rmdirSync(path);
}

export function renameSync(path: string, to: string): void {
  at("rename", path, (from) => at("rename", to, ({ dir, below }) => from.dir.renameAt(from.below, dir, below)));
}

function encoding(options?: Options): Encoding | null {
  const encoding = typeof options === "string" ? options : (options?.encoding ?? null);
  if (encoding !== null && encoding !== "utf8" && encoding !== "utf-8") {
    throw new TypeError(`the encoding ${encoding} is not supported: there are utf8 and, if none is named, the bytes`);
  }
  return encoding;
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? encodeText(data) : data;
}
