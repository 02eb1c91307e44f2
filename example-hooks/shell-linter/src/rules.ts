/** The rules against dangerous shell commands. */

import { commands, type Command } from "./words.ts";

/** A problem of a command: the rule that it breaks, and the problem in words. */
export interface Finding {
  rule: Rule;
  says: string;
}

const RULES = ["remove-root", "pipe-to-shell", "raw-disk", "fork-bomb", "world-writable", "sudo"] as const;

/** The name of a rule. */
export type Rule = (typeof RULES)[number];

/** Returns whether there is a rule with that name. */
export function isRule(name: string): name is Rule {
  return (RULES as readonly string[]).includes(name);
}

const ROOTS = /^(?:\/|\/\*|~\/?\*?|\$HOME\/?\*?|\$\{HOME\}\/?\*?|\/(?:bin|boot|dev|etc|home|lib|root|sbin|sys|usr|var)\/?\*?)$/;
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "perl", "ruby", "node"]);
const FETCHERS = new Set(["curl", "wget", "fetch"]);
const DISKS = /^\/dev\/(?:sd|hd|vd|nvme|mmcblk|disk)/;

/** Returns the problems of a command line, without those of disabled rules. */
export function lint(line: string, off: ReadonlySet<Rule>): Finding[] {
  const pipelines = commands(line);
  const found = [...pipelines.flat().flatMap(ofCommand), ...pipelines.flatMap(ofPipeline)];
  if (/(\S+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&/.test(line)) {
    found.push({ rule: "fork-bomb", says: "it starts itself without end" });
  }
  return found.filter(({ rule }) => !off.has(rule));
}

function ofCommand({ name, words, redirects }: Command): Finding[] {
  const found: Finding[] = [];
  const flags = words.filter((word) => word.startsWith("-"));
  const has = (short: string, long: string) =>
    flags.some((flag) => flag === long || (/^-[a-zA-Z]+$/.test(flag) && flag.includes(short)));
  if (name === "sudo" || name === "doas" || name === "su") {
    found.push({ rule: "sudo", says: `\`${name}\` runs it as another user` });
  }
  const recursive = has("r", "--recursive") || has("R", "--recursive");
  if (name === "rm" && recursive && words.some((word) => ROOTS.test(word))) {
    found.push({ rule: "remove-root", says: "it removes a whole system or home directory" });
  }
  if (name === "chmod" && recursive && words.some((word) => /^(?:0?777|a\+rwx)$/.test(word))) {
    found.push({ rule: "world-writable", says: "it lets everyone change everything below" });
  }
  const target = name === "dd" ? words.find((word) => word.startsWith("of="))?.slice(3) : undefined;
  if ([...redirects, ...(target === undefined ? [] : [target])].some((path) => DISKS.test(path)) || /^mkfs(?:\.|$)/.test(name)) {
    found.push({ rule: "raw-disk", says: "it writes over a disk" });
  }
  return found;
}

function ofPipeline(pipeline: Command[]): Finding[] {
  const fetches = pipeline.findIndex(({ name }) => FETCHERS.has(name));
  const runs = pipeline.find(({ name }, at) => at > fetches && SHELLS.has(name));
  if (fetches < 0 || runs === undefined) return [];
  return [{ rule: "pipe-to-shell", says: `it has \`${runs.name}\` run what it gets from the network` }];
}
