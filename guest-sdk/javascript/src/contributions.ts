/** What `contribute` takes. The hook's card must declare each kind, and the operator grant it. */

import type {
  AuditNote,
  BackgroundJob,
  BundledTool,
  ContextItem,
  DomainPolicy,
  PromptSection,
  ToolBundle,
} from "./contract.ts";

/** What a turn may do in one domain; the rules are written as JSON. */
export function policy(domain: string, rules: object): { tag: "policy"; val: DomainPolicy } {
  return { tag: "policy", val: { domain, rules: JSON.stringify(rules) } };
}

/** Something to know; `data` is written as JSON. */
export function contextItem(kind: string, text: string, data?: unknown): { tag: "context"; val: ContextItem } {
  return { tag: "context", val: { kind, text, data: data === undefined ? null : JSON.stringify(data) } };
}

/** A part of the prompt. */
export function section(
  id: string,
  text: string,
  more: Partial<Omit<PromptSection, "id" | "text">> = {},
): { tag: "section"; val: PromptSection } {
  return { tag: "section", val: { id, text, title: null, order: 0, maxTokens: null, essential: false, ...more } };
}

/** Tools that belong together. */
export function tools(name: string, tools: BundledTool[]): { tag: "tools"; val: ToolBundle } {
  return { tag: "tools", val: { name, tools } };
}

/** A remark for those who look into what happened; `data` is written as JSON. */
export function note(code: string, data: unknown = null): { tag: "note"; val: AuditNote } {
  return { tag: "note", val: { code, data: JSON.stringify(data) } };
}

/** Work that nobody waits for, done by the host's handler of that name. */
export function job(name: string, input: unknown = null): { tag: "job"; val: BackgroundJob } {
  return { tag: "job", val: { name, input: JSON.stringify(input) } };
}
