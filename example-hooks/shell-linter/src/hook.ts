/**
 * Checks shell commands before a tool runs them.
 *
 * ```toml
 * [hooks.shell-linter.config]
 * tools = ["run_command"]          # the tools that run commands
 * argument = "command"             # the argument that the command is in
 * off = ["sudo"]                   # disabled rules
 * then = "ask"                     # asks a person instead of refusing
 * ```
 */

import { about, ask, BadConfig, config, defineHook, log, oneOf, proceed, reject, string, strings, toolData } from "portcullis";
import { isRule, lint, type Rule } from "./rules.ts";

const configured = config({
  tools: about("The tools that run commands.", strings(["run_command"])),
  argument: about("The argument that the command is in.", string("command")),
  off: about("The rules that do not hold.", strings([])),
  then: about("What is done about a dangerous command.", oneOf(["reject", "ask"], "reject")),
});

export default defineHook({
  id: "shell-linter",
  description: "Refuses shell commands that would do great harm, or has a person decide.",
  kind: "guardrail",
  priority: 20,
  config: configured,

  preToolCall(_, call) {
    const settings = configured();
    const off = rules(settings.off);
    if (!settings.tools.includes(call.name)) return proceed();
    const command = toolData.args()[settings.argument];
    if (typeof command !== "string") {
      return reject("no-command", `\`${settings.argument}\` of \`${call.name}\` must be a text.`);
    }
    const found = lint(command, off);
    const [worst] = found;
    if (worst === undefined) return proceed();
    log.warn("a dangerous command", { tool: call.name, rules: found.map(({ rule }) => rule) });
    const why = `The command is dangerous: ${found.map(({ says }) => says).join("; ")}.`;
    if (settings.then === "ask") return ask("May the agent run this command?", `${why}\n${command}`);
    return reject(worst.rule, why, found);
  },
});

function rules(names: readonly string[]): ReadonlySet<Rule> {
  const unknown = names.find((name) => !isRule(name));
  if (unknown !== undefined) throw new BadConfig(`\`off\`: there is no rule \`${unknown}\``);
  return new Set(names.filter(isRule));
}
