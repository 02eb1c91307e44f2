#define _GNU_SOURCE
#include <string.h>

#include "portcullis.h"

PORTCULLIS_HOOK(.id = "word-filter", .description = "Refuses turns that contain a blocked word.",
                .role = PC_GATE, .priority = PC_PRIORITY(10));

static bool contains(pc_string_t text, pc_string_t word) {
    return memmem(text.ptr, text.len, word.ptr, word.len) != NULL;
}

pre_turn_result on_pre_turn(const pc_context_t *context, const pre_turn_input *input) {
    (void)context;
    (void)input;
    pc_texts blocked;
    if (!pc_config_list("blocked", &blocked)) {
        return pre_turn_bad_config("`blocked` must be a list of strings");
    }
    pc_string_t text = pc_content();
    bool found = false;
    for (size_t i = 0; i < blocked.len && !found; i++) {
        found = contains(text, blocked.items[i]);
    }
    pc_free(&text);
    pc_texts_free(&blocked);
    return found ? pre_turn_refuse("blocked-word", "The message was blocked.") : pre_turn_continue();
}
