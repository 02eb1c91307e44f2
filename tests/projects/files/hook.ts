import { readdirSync, readFileSync, existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { content, defineHook, reject } from "portcullis";

async function act([action, path, more]: string[]): Promise<string> {
  switch (action) {
    case "read":
      return await readFile(path!, "utf8");
    case "bytes":
      return String(readFileSync(path!).length);
    case "write":
      await writeFile(path!, more!);
      await appendFile(path!, "+");
      return readFileSync(path!, "utf8");
    case "list":
      return readdirSync(path!, { withFileTypes: true })
        .map((entry) => `${entry.name}${entry.isDirectory() ? "/" : ""}`)
        .join(" ");
    case "tree":
      await mkdir(`${path}/a/b`, { recursive: true });
      await writeFile(`${path}/a/b/c.txt`, "c");
      await rename(`${path}/a/b/c.txt`, `${path}/a/d.txt`);
      const { size } = await stat(`${path}/a/d.txt`);
      await rm(`${path}/a`, { recursive: true });
      return `${size} ${existsSync(`${path}/a`)}`;
    case "mkdir":
      await mkdir(path!, { recursive: true });
      return "made";
    case "rm":
      await rm(path!, { force: true });
      return "removed";
    default:
      return "";
  }
}

export default defineHook({
  id: "my-hook",
  description: "Uses files.",

  async preTurn() {
    try {
      return reject("done", await act(content.text().split(" ")));
    } catch (error) {
      return reject("done", (error as Error).message);
    }
  },
});
