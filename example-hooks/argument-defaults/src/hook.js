/**
 * Fills in arguments that the model left out, and keeps numbers within bounds.
 *
 * ```toml
 * [hooks.argument-defaults.config.search]
 * limit = { default = 10, max = 50 }
 * language = { default = "en" }
 * ```
 */

import { BadConfig, configTable, defineHook, log, proceed, toolCatalog, toolData, transform } from "portcullis";

/** The keys of the operator's rule for an argument. */
const KEYS = new Set(["default", "min", "max"]);

export default defineHook({
  id: "argument-defaults",
  description: "Fills in arguments of tools that were left out, and keeps numbers within bounds.",
  priority: 10,

  preToolCall(_, call) {
    const rules = rulesOf(call.name);
    if (rules === undefined) return proceed();
    const known = properties(call.name);
    const before = toolData.args();
    const after = { ...before };
    for (const [name, rule] of Object.entries(rules)) {
      // A tool that has no such argument would refuse the call.
      if (known === undefined || Object.hasOwn(known, name)) {
        after[name] = bounded(after[name] ?? rule.default, rule);
      }
    }
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    if (changed.length === 0) return proceed();
    log.info("changed arguments", { tool: call.name, changed });
    return transform(JSON.stringify(after));
  },
});

/** Returns the operator's rules for a tool's arguments, checked. */
function rulesOf(tool) {
  const rules = configTable()[tool];
  if (rules === undefined) return undefined;
  if (!isTable(rules)) throw new BadConfig(`\`${tool}\`: expected a table of arguments`);
  for (const [name, rule] of Object.entries(rules)) {
    const at = `\`${tool}.${name}\``;
    if (!isTable(rule)) throw new BadConfig(`${at}: expected a table such as { default = 10 }`);
    for (const [key, value] of Object.entries(rule)) {
      if (!KEYS.has(key)) throw new BadConfig(`${at}: unknown key \`${key}\`, expected \`default\`, \`min\`, \`max\``);
      if (key !== "default" && typeof value !== "number") throw new BadConfig(`${at}: \`${key}\`: expected a number`);
    }
  }
  return rules;
}

function bounded(value, { min = -Infinity, max = Infinity }) {
  return typeof value === "number" ? Math.min(Math.max(value, min), max) : value;
}

/** Returns the arguments that a tool's schema names, or `undefined` if it names none. */
function properties(tool) {
  return JSON.parse(toolCatalog.get(tool)?.schema ?? "{}").properties;
}

function isTable(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
