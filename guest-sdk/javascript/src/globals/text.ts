/** `TextEncoder` and `TextDecoder`, without the encodings of East Asia, whose tables are large. */

export { TextDecoder, TextEncoder } from "portcullis:library/encoding";
