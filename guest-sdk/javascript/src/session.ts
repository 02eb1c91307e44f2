/** Whose session this is. */

export { metadata, parent, user, workingDir } from "portcullis:hooks/session@0.1.0";
