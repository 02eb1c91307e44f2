/* Refuses tool calls that are too large or too many. */

#include <inttypes.h>

#include "portcullis.h"

PORTCULLIS_HOOK(
    .id = "tool-limiter",
    .kind = "guardrail",
    .description = "Refuses tool calls that are too large, and those beyond so many in a turn."
);

bool on_pre_tool_call(void) {
    int64_t bytes, calls, made;
    if (!pc_config_number("arguments-bytes", 65536, &bytes) || bytes < 0)
        return pc_bad_config("`arguments-bytes` must be a whole number");
    if (!pc_config_number("calls-per-turn", 50, &calls) || calls < 0)
        return pc_bad_config("`calls-per-turn` must be a whole number");
    uint32_t len = pre_tool_call_arguments_bytes();
    if (len > bytes)
        return pre_tool_call_reject("too-large", pc_format("The arguments have %" PRIu32 " bytes; %" PRId64
                                                           " are allowed.", len, bytes));
    pc_string_t name = pre_tool_call_name();
    /* The name comes last and is not cut, so no two tools have the same key. */
    pc_string_t key = pc_join(PC_ITEMS(pc_string_t, pc_format("%" PRIu32 "/", pc_turn()), name));
    if (!pc_count(key, 1, &made))
        return pc_fail("the calls could not be counted");
    if (made > calls)
        return pre_tool_call_reject("too-many", pc_format("`%.*s` was called %" PRId64 " times in this turn, which is all "
                                                          "it may.", PC_SHOW(name), calls));
    return PC_CONTINUE;
}
