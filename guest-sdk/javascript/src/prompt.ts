/** The contributions of hooks to the turn's prompt so far. */

export { contextItems, policies, policy, queries, sections } from "portcullis:hooks/prompt@0.2.0";
