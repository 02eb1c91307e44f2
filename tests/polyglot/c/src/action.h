/* The actions of the probe. */
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
    const char *rest; /* the argument of the action */
    pc_string_t text; /* the new value */
} action_t;

/* Runs the configured action of a point, as far as it is the same everywhere. `current` returns the current text there;
 * it may be null. */
action_t action_at(const char *point, pc_string_t (*current)(void));

/* A text as a message of the user, appended to the conversation. */
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
