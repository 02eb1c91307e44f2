import type { ContentPart } from "./contract.js";

/** A text, or the parts of a message. */
export type Content = string | ContentPart[];

/** The parts; a text is one part. */
export const contentParts = (content: Content): ContentPart[] =>
  typeof content === "string" ? [{ text: content }] : content;

/** The text of all parts that are text. */
export const textOf = (parts: ContentPart[]): string =>
  parts.map((part) => ("text" in part ? part.text : "")).join("");

/** How many bytes the text has. */
export const textBytes = (parts: ContentPart[]): number => Buffer.byteLength(textOf(parts));
