/** Secrets, by name; the operator grants each one. */

export { get } from "portcullis:hooks/secrets@0.2.0";
