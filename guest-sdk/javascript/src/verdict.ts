/** What the chain has decided, for hooks that look on. */

export { current } from "portcullis:hooks/verdict@0.1.0";
