/* What the probe can be told to do. */
#pragma once

#include "portcullis.h"

typedef enum {
    CONTINUE,
    REJECT,
    TRANSFORM,
    REPLACE,
    ANSWER,
    ASK,
    STOP,
    KEEP_GOING,
    CONTRIBUTE,
    FAIL,
} action_kind;

typedef struct {
    action_kind kind;
    const char *rest; /* what the configuration says behind the action */
    pc_string_t text; /* what a value is to become */
} action_t;

/* What the configuration says for a point, done as far as that is the same everywhere. `current` gives the current text
 * there; it may be null. */
action_t action_at(const char *point, pc_string_t (*current)(void));

/* A text as the user's message, put behind the conversation. */
#define APPENDED(text)                                                                  \
    ((pc_message_edit_t){                                                               \
        .tag = PC_MESSAGE_EDIT_INSERT,                                                  \
        .val.insert = {                                                                 \
            pc_conversation_len(),                                                      \
            {.role = PC_ROLE_USER, .content = {PC_ITEMS(pc_content_part_t, pc_text_part(text))}}, \
        },                                                                              \
    })

/* The probe's refusal, and the message of its stop. */
#define REFUSAL "probe", "the probe was told to refuse"
#define STOPPING "the probe was told to stop"
