/** The session's user, working directory, parent and metadata. */

export { metadata, parent, user, workingDir } from "portcullis:hooks/session@0.2.0";
