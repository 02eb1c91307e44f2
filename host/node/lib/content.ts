import type { ContentPart } from "./contract.js";

/** A text, or the parts of a message. */
export type Content = string | ContentPart[];

/** Returns the parts; a text is one part. */
export const contentParts = (content: Content): ContentPart[] =>
  typeof content === "string" ? [{ text: content }] : content;

/** Returns the text of all parts that are text. */
export const textOf = (parts: ContentPart[]): string =>
  parts.map((part) => ("text" in part ? part.text : "")).join("");

/** Returns the size of the text, in bytes. */
export const textBytes = (parts: ContentPart[]): number => Buffer.byteLength(textOf(parts));
