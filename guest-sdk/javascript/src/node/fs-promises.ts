/** `node:fs/promises`: the same as `node:fs`. Nothing is read later, so each promise is settled when it is made. */

import * as fs from "./fs.ts";

type Async<F extends (...values: never[]) => unknown> = (...values: Parameters<F>) => Promise<ReturnType<F>>;
type Reading = fs.Encoding | { encoding?: fs.Encoding | null } | null;
type Listing = fs.Encoding | { withFileTypes?: boolean };

export async function readFile(path: string, options: fs.Encoding | { encoding: fs.Encoding }): Promise<string>;
export async function readFile(path: string, options?: { encoding?: null } | null): Promise<Uint8Array<ArrayBuffer>>;
export async function readFile(path: string, options?: Reading): Promise<string | Uint8Array<ArrayBuffer>> {
  return fs.readFileSync(path, options as never);
}
export async function readdir(path: string, options: { withFileTypes: true }): Promise<fs.Dirent[]>;
export async function readdir(path: string, options?: { withFileTypes?: false } | fs.Encoding): Promise<string[]>;
export async function readdir(path: string, options?: Listing): Promise<string[] | fs.Dirent[]> {
  return fs.readdirSync(path, options as never);
}
export const writeFile: Async<typeof fs.writeFileSync> = async (...values) => fs.writeFileSync(...values);
export const appendFile: Async<typeof fs.appendFileSync> = async (...values) => fs.appendFileSync(...values);
export const stat: Async<typeof fs.statSync> = async (...values) => fs.statSync(...values);
export const lstat: Async<typeof fs.lstatSync> = async (...values) => fs.lstatSync(...values);
export const mkdir: Async<typeof fs.mkdirSync> = async (...values) => fs.mkdirSync(...values);
export const rmdir: Async<typeof fs.rmdirSync> = async (...values) => fs.rmdirSync(...values);
export const unlink: Async<typeof fs.unlinkSync> = async (...values) => fs.unlinkSync(...values);
export const rm: Async<typeof fs.rmSync> = async (...values) => fs.rmSync(...values);
export const rename: Async<typeof fs.renameSync> = async (...values) => fs.renameSync(...values);
