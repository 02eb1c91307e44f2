/** Files of the directories that the hook is granted, over `wasi:filesystem`. */

import { getDirectories } from "wasi:filesystem/preopens@0.2.0";
import type { Descriptor, ErrorCode, OpenFlags } from "wasi:filesystem/types@0.2.0";
import { attempt } from "../host-error.ts";
import { drop } from "../drop.ts";

/** The most bytes that are read or written at once. */
const PIECE = 65536;

/** Node's codes for the errors; the others are `EIO`. */
const CODES: Partial<Record<ErrorCode, [code: string, says: string]>> = {
  access: ["EACCES", "permission denied"],
  "not-permitted": ["EPERM", "operation not permitted"],
  "read-only": ["EROFS", "read-only file system"],
  "no-entry": ["ENOENT", "no such file or directory"],
  exist: ["EEXIST", "file already exists"],
  "is-directory": ["EISDIR", "illegal operation on a directory"],
  // The host reports this only for a directory that is read or written as a file.
  "bad-descriptor": ["EISDIR", "illegal operation on a directory"],
  "not-directory": ["ENOTDIR", "not a directory"],
  "not-empty": ["ENOTEMPTY", "directory not empty"],
  "insufficient-space": ["ENOSPC", "no space left on device"],
  "cross-device": ["EXDEV", "cross-device link not permitted"],
  loop: ["ELOOP", "too many symbolic links encountered"],
  "name-too-long": ["ENAMETOOLONG", "name too long"],
};

/** The error of a file that could not be used. */
export class FileError extends Error {
  override name = "Error";
  code: string;
  syscall: string;
  path: string;

  constructor(cause: ErrorCode, syscall: string, path: string) {
    const [code, says] = CODES[cause] ?? ["EIO", `i/o error (${cause})`];
    super(`${code}: ${says}, ${syscall} '${path}'`);
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}

/** A path in a directory that is granted. */
interface Place {
  dir: Descriptor;
  /** The path below the directory; `.` for the directory itself. */
  below: string;
}

/** The directories, which are read once: an instance has the same ones as long as it lives. */
let granted: { dir: Descriptor; parts: string[] }[] | undefined;

/** Calls a function with the place of a path, and throws errors as Node does. */
export function at<T>(syscall: string, path: string, run: (place: Place) => T): T {
  return attempt(
    () => run(placed(path) ?? missing(syscall, path)),
    (cause: ErrorCode) => new FileError(cause, syscall, path),
  );
}

function missing(syscall: string, path: string): never {
  throw new FileError("no-entry", syscall, path);
}

/** Returns the place of a path in the innermost granted directory. */
function placed(path: string): Place | undefined {
  granted ??= getDirectories().map(([dir, name]) => ({ dir, parts: parts(name) ?? [] }));
  const wanted = parts(path);
  if (wanted === undefined) return undefined;
  const holds = granted
    .filter(({ parts }) => parts.every((part, at) => part === wanted[at]))
    .sort((one, other) => other.parts.length - one.parts.length)[0];
  if (holds === undefined) return undefined;
  return { dir: holds.dir, below: wanted.slice(holds.parts.length).join("/") || "." };
}

/** Returns the names in a path; the first of an absolute path is empty. Nothing for a path that leaves its directory. */
function parts(path: string): string[] | undefined {
  const found: string[] = path.startsWith("/") ? [""] : [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") found.push(part);
    else if (found.length === 0 || found.at(-1) === "") return undefined;
    else found.pop();
  }
  return found;
}

/** Opens a file, and drops it after `run`. */
export function open<T>(place: Place, flags: { write: boolean; open?: OpenFlags }, run: (file: Descriptor) => T): T {
  const file = place.dir.openAt({ symlinkFollow: true }, place.below, flags.open ?? {}, {
    read: !flags.write,
    write: flags.write,
  });
  try {
    return run(file);
  } finally {
    drop(file);
  }
}

/** Returns the whole content of a file. */
export function readAll(file: Descriptor): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let ended = false; !ended; ) {
    const [piece, end] = file.read(PIECE, length);
    pieces.push(piece);
    length += piece.length;
    ended = end || piece.length === 0;
  }
  const all = new Uint8Array(length);
  let to = 0;
  for (const piece of pieces) {
    all.set(piece, to);
    to += piece.length;
  }
  return all;
}

/** Writes bytes from this offset on. */
export function writeAll(file: Descriptor, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += file.write(bytes.subarray(done, done + PIECE), offset + done);
  }
}
