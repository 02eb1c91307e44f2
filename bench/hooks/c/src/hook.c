/* A small guard at `pre-tool-call`. The other two points measure what less reading costs. */

#include "portcullis.h"

PORTCULLIS_HOOK(.id = "guard-c", .description = "Refuses shell commands that delete directories.");

/* Reads the name and the arguments. */
bool on_pre_tool_call(void) {
    if (pc_equals(pre_tool_call_name(), "shell") && pc_contains(pc_tool_arguments(), "rm -rf"))
        return pre_tool_call_reject("no-rm", "Nothing is deleted here.");
    return PC_CONTINUE;
}

/* Reads the name. */
bool on_post_tool_call(void) {
    if (pc_equals(post_tool_call_name(), "forbidden"))
        return post_tool_call_reject("forbidden", "Its output is withheld.");
    return PC_CONTINUE;
}

/* Reads nothing. */
bool on_tool_update(void) { return PC_CONTINUE; }
