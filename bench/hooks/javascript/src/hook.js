// A small guard at `pre-tool-call`. The other two points measure what less reading costs.

import { defineHook, proceed, reject, toolData } from "portcullis";

export default defineHook({
  id: "guard-javascript",
  description: "Refuses shell commands that delete directories.",

  /** Reads the name and the arguments. */
  preToolCall(_, call) {
    return call.name === "shell" && toolData.input().includes("rm -rf")
      ? reject("no-rm", "Nothing is deleted here.")
      : proceed();
  },

  /** Reads the name. */
  postToolCall(_, call) {
    return call.name === "forbidden" ? reject("forbidden", "Its output is withheld.") : proceed();
  },

  /** Reads nothing. */
  toolUpdate() {
    return proceed();
  },
});
