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
} deed_kind;

typedef struct {
    deed_kind kind;
    const char *rest; /* what was said behind the deed, until the next call */
    pc_string_t text; /* what a value is to become; deed_done frees it unless it was taken */
} deed_t;

/* What the configuration says for a point, done as far as that is the same everywhere. `now` gives the text
 * in hand there; it may be null. */
deed_t deed_at(const char *point, pc_string_t (*now)(void));

/* The text, which is the caller's from then on. */
pc_string_t deed_take(deed_t *deed);

/* For where there is no value to put a text into. */
void deed_done(deed_t *deed);

/* A text as the user's message, put behind the conversation. */
pc_message_edit_t deed_insert(pc_string_t text);

/* The probe's refusal, and the code of its stop signal's message. */
#define REFUSAL "probe", "the probe was told to refuse"
#define STOPPING "the probe was told to stop"
