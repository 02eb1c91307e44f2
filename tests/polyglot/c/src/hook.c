/* The probe of tests/guests/probe in C: it does as its configuration says. */

#include "deed.h"

PORTCULLIS_HOOK(
    .id = "probe",
    .description = "Does as its configuration says.",
    .kind = "test",
    .role = PC_TRANSFORM,
    .contributes = PC_POLICY | PC_CONTEXT | PC_SECTION | PC_TOOLS | PC_NOTE | PC_JOB
);

/* The points at which a hook can only look on. */
#define LOOKS_ON(point, name)                                                             \
    point##_result on_##point(const pc_context_t *context, const point##_input *input) {  \
        (void)context, (void)input;                                                       \
        deed_t deed = deed_at(name, NULL);                                                \
        deed_done(&deed);                                                                 \
        return deed.kind == FAIL ? point##_fail(deed.rest) : point##_continue();          \
    }

LOOKS_ON(session_end, "session-end")
LOOKS_ON(turn_suspended, "turn-suspended")
LOOKS_ON(turn_resumed, "turn-resumed")
LOOKS_ON(tool_update_sent, "tool-update-sent")
LOOKS_ON(state_changed, "state-changed")
LOOKS_ON(message_added, "message-added")
LOOKS_ON(post_compaction, "post-compaction")
LOOKS_ON(workspace_opened, "workspace-opened")
LOOKS_ON(workspace_closed, "workspace-closed")
LOOKS_ON(workspace_evicted, "workspace-evicted")
LOOKS_ON(workspace_eviction_retried, "workspace-eviction-retried")
LOOKS_ON(workspace_snapshotted, "workspace-snapshotted")

/* The points at which it can refuse, and no more. */
#define REFUSES(point, name)                                                              \
    point##_result on_##point(const pc_context_t *context, const point##_input *input) {  \
        (void)context, (void)input;                                                       \
        deed_t deed = deed_at(name, NULL);                                                \
        deed_done(&deed);                                                                 \
        if (deed.kind == REJECT) return point##_refuse(REFUSAL);                          \
        return deed.kind == FAIL ? point##_fail(deed.rest) : point##_continue();          \
    }

REFUSES(session_start, "session-start")
REFUSES(tool_update, "tool-update")
