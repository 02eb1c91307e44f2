/** The contributions that `contribute` takes. The operator grants each kind. */

import addsContext from "portcullis:answers/add-context";
import addsJob from "portcullis:answers/add-job";
import addsNote from "portcullis:answers/add-note";
import addsPolicy from "portcullis:answers/add-policy";
import addsSection from "portcullis:answers/add-section";
import addsTools from "portcullis:answers/add-tools";
import type { BundledTool, PromptSection, ToolBundle } from "./contract.ts";
import { Contribution } from "./outcome.ts";
import { wellFormed } from "./utf8.ts";

/** Returns a policy for one domain of the turn. The rules are written as JSON. */
export function policy(domain: string, rules: object): Contribution<"add-policy"> {
  return new Contribution("add-policy", addsPolicy, [domain, JSON.stringify(rules)]);
}

/** Returns an item of context for the hooks that write the prompt. `data` is written as JSON. */
export function contextItem(kind: string, text: string, data?: unknown): Contribution<"add-context"> {
  const json = data === undefined ? null : JSON.stringify(data);
  return new Contribution("add-context", addsContext, [kind, text, json]);
}

/** Returns a section of the prompt. */
export function section(
  id: string,
  text: string,
  more: Partial<Omit<PromptSection, "id" | "text">> = {},
): Contribution<"add-section"> {
  const section: PromptSection = { id, text: wellFormed(text), title: null, order: 0, maxTokens: null, essential: false, ...more };
  return new Contribution("add-section", addsSection, [section]);
}

/** Returns a bundle of tools that the model is offered. */
export function tools(name: string, tools: BundledTool[]): Contribution<"add-tools"> {
  const bundle: ToolBundle = { name, tools };
  return new Contribution("add-tools", addsTools, [bundle]);
}

/** Returns an audit note. `data` is written as JSON. */
export function note(code: string, data: unknown = null): Contribution<"add-note"> {
  return new Contribution("add-note", addsNote, [code, JSON.stringify(data)]);
}

/** Returns a background job for the host's handler of that name. `input` is written as JSON. */
export function job(name: string, input: unknown = null): Contribution<"add-job"> {
  return new Contribution("add-job", addsJob, [name, JSON.stringify(input)]);
}
