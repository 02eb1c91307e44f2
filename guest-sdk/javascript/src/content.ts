/** The content in hand: what the user, the model or the turn says. */

export { parts, text } from "portcullis:hooks/content@0.1.0";
