#include "portcullis.h"

PORTCULLIS_HOOK(.id = "word-filter", .description = "Refuses turns that contain a blocked word.",
                .priority = PC_PRIORITY(10));

bool on_pre_turn(void) {
    pc_strings_t blocked;
    if (!pc_config_list("blocked", &blocked)) {
        return pc_bad_config("`blocked` must be a list of strings");
    }
    pc_string_t text = pc_content();
    for (size_t i = 0; i < blocked.len; i++) {
        if (pc_contains(text, blocked.ptr[i])) {
            return pre_turn_reject("blocked-word", "The message was blocked.");
        }
    }
    return PC_CONTINUE;
}
