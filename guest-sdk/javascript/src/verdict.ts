/** The chain's decision, for hooks that observe. */

export { current } from "portcullis:hooks/verdict@0.2.0";
