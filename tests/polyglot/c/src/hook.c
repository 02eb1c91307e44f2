/* The probe of tests/guests/probe in C: it performs the configured actions. */

#include "action.h"

PORTCULLIS_HOOK(.id = "probe", .description = "Does as its configuration says.", .kind = "test");

/* The points at which the hook can only observe. */
#define OBSERVES(point, name)                                       \
    bool on_##point(void) {                                         \
        action_t action = action_at(name, NULL);                    \
        return action.kind == FAIL ? pc_fail(action.rest) : PC_CONTINUE; \
    }

OBSERVES(session_end, "session-end")
OBSERVES(turn_suspended, "turn-suspended")
OBSERVES(turn_resumed, "turn-resumed")
OBSERVES(tool_update_sent, "tool-update-sent")
OBSERVES(state_changed, "state-changed")
OBSERVES(message_added, "message-added")
OBSERVES(post_compaction, "post-compaction")
OBSERVES(workspace_opened, "workspace-opened")
OBSERVES(workspace_closed, "workspace-closed")
OBSERVES(workspace_evicted, "workspace-evicted")
OBSERVES(workspace_eviction_retried, "workspace-eviction-retried")
OBSERVES(workspace_snapshotted, "workspace-snapshotted")

/* The points at which the hook can refuse, and no more. */
#define REFUSES(point, name)                                        \
    bool on_##point(void) {                                         \
        action_t action = action_at(name, NULL);                    \
        if (action.kind == REJECT) return point##_reject(REFUSAL);  \
        return action.kind == FAIL ? pc_fail(action.rest) : PC_CONTINUE; \
    }

REFUSES(session_start, "session-start")
REFUSES(tool_update, "tool-update")
