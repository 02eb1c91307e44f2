/** The messages so far. */

export { get, last, len, slice } from "portcullis:hooks/conversation@0.1.0";
