// Builds the addon and the JavaScript of the package. An argument is cargo's profile; default: release.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const profile = process.argv[2] ?? "release";
const here = import.meta.dirname;
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: here, stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });

run("cargo", "build", "--locked", "--package", "portcullis-node", "--profile", profile);
const metadata = JSON.parse(run("cargo", "metadata", "--no-deps", "--format-version", "1"));
const library = {
  darwin: "libportcullis_host_node.dylib",
  win32: "portcullis_host_node.dll",
}[process.platform] ?? "libportcullis_host_node.so";
const directory = profile === "dev" ? "debug" : profile;
const built = path.join(metadata.target_directory, directory, library);
copyFileSync(built, path.join(here, "portcullis-host.node"));
// On Linux, stripping the symbols makes the addon two thirds smaller.
if (process.platform === "linux") run("strip", "--strip-unneeded", "portcullis-host.node");
const require = createRequire(path.join(process.cwd(), "package.json"));
run(process.execPath, require.resolve("typescript/bin/tsc"), "--project", path.join(here, "tsconfig.json"));
