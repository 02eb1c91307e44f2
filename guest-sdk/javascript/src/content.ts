/** The current content: what the user, the model or the turn says. */

export { parts, text } from "portcullis:hooks/content@0.2.0";
