/** Whose session this is. */

export { metadata, parent, user, workingDir } from "portcullis:hooks/session@0.2.0";
