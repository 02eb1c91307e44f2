/**
 * Write Portcullis hooks in JavaScript or TypeScript.
 *
 * ```ts
 * import { config, content, defineHook, log, proceed, reject, strings } from "portcullis";
 *
 * const settings = config({ blocked: strings() });
 *
 * export default defineHook({
 *   id: "word-filter",
 *   description: "Refuses turns that contain a blocked word.",
 *   preTurn() {
 *     const { blocked } = settings();
 *     const word = blocked.find((word) => content.text().includes(word));
 *     if (word === undefined) return proceed();
 *     log.info("blocked a turn", { word });
 *     return reject("blocked-word", "The message was blocked.");
 *   },
 * });
 * ```
 *
 * The component exports the points that the hook has handlers for, and imports the modules and the answers
 * that its code uses: a hook without `conversation` cannot read a message, one without `reject` cannot refuse.
 */

/// <reference path="./globals.d.ts" />
/// <reference path="./wasi.d.ts" />

export type * from "./contract.ts";
export type { Declaration } from "./declaration.ts";
export { defineHook, type Handlers, type Hook } from "./hook.ts";
export type { Facts } from "./facts.ts";
export type { Contribution, Outcome } from "./outcome.ts";
export { BadConfig } from "./errors.ts";
export * from "./outcomes.ts";
export * from "./contributions.ts";

export { about, boolean, config, configOf, configTable, number, oneOf, string, strings } from "./config.ts";
export type { Integer, Settings } from "./config.ts";
export * as log from "./log.ts";

export * as agentState from "./agent-state.ts";
export * as content from "./content.ts";
export * as conversation from "./conversation.ts";
export * as prompt from "./prompt.ts";
export * as session from "./session.ts";
export * as toolCatalog from "./tool-catalog.ts";
export * as toolData from "./tool-data.ts";
export * as verdict from "./verdict.ts";

export * as agentStateEdit from "./agent-state-edit.ts";
export * as events from "./events.ts";
export * as model from "./model.ts";
export * as secrets from "./secrets.ts";
export * as sharedState from "./shared-state.ts";
export * as state from "./state.ts";
