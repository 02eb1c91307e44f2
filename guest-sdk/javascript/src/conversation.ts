/** The messages so far. */

export { get, last, len, slice } from "portcullis:hooks/conversation@0.2.0";
