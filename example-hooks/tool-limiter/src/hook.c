/* Refuses tool calls that are too large or too many. */

#include <inttypes.h>

#include "portcullis.h"

PORTCULLIS_HOOK(
    .id = "tool-limiter",
    .kind = "guardrail",
    .description = "Refuses tool calls that are too large, and those beyond so many in a turn.",
    .role = PC_GATE
);

static pre_tool_call_result refuse(const char *code, pc_string_t reason) {
    pc_rejection_t rejection = {.code = pc_copy(code), .reason = reason};
    return pre_tool_call_reject(rejection);
}

pre_tool_call_result on_pre_tool_call(const pc_context_t *context, const pre_tool_call_input *input) {
    int64_t bytes, calls, made;
    if (!pc_config_number("arguments-bytes", 65536, &bytes) || bytes < 0)
        return pre_tool_call_bad_config("`arguments-bytes` must be a whole number");
    if (!pc_config_number("calls-per-turn", 50, &calls) || calls < 0)
        return pre_tool_call_bad_config("`calls-per-turn` must be a whole number");
    if (input->arguments_bytes > bytes)
        return refuse("too-large", pc_format("The arguments have %" PRIu32 " bytes; %" PRId64 " are allowed.",
                                             input->arguments_bytes, bytes));
    /* The name last: whatever a tool is called, two keys are never the same. */
    pc_string_t key = pc_format("%" PRIu32 "/%.*s", context->turn, (int)input->name.len, (char *)input->name.ptr);
    pc_state_state_error_t error;
    bool counted = pc_state_increment(&key, 1, &made, &error);
    pc_free(&key);
    if (!counted) {
        pc_state_state_error_free(&error);
        return pre_tool_call_fail("the calls could not be counted");
    }
    if (made > calls)
        return refuse("too-many", pc_format("`%.*s` was called %" PRId64 " times in this turn, which is all it may.",
                                            (int)input->name.len, (char *)input->name.ptr, calls));
    return pre_tool_call_continue();
}
