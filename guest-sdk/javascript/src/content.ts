/** The current content: the text of the user, the model or the turn. */

export { parts, text } from "portcullis:hooks/content@0.2.0";
