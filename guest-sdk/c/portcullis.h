/* Write Portcullis hooks in C.
 *
 * A hook says what it is with PORTCULLIS_HOOK, and has one function for each point it serves:
 *
 *     #include "portcullis.h"
 *
 *     PORTCULLIS_HOOK(.id = "quiet", .description = "Refuses turns that shout.", .role = PC_GATE);
 *
 *     pre_turn_result on_pre_turn(const pc_context_t *context, const pre_turn_input *input) {
 *         pc_string_t text = pc_content();
 *         bool shouts = pc_contains(text, "!!!");
 *         pc_free(&text);
 *         return shouts ? pre_turn_refuse("shouting", "Please ask again, calmly.") : pre_turn_continue();
 *     }
 *
 * What is beyond this header is in `hook.h`, which `portcullis build` generates from the contract: the types
 * `pc_…_t`, and the imports `pc_content_…`, `pc_conversation_…`, `pc_state_…`. The component imports what is
 * called, and nothing else.
 *
 * Who frees what: what a function here gives as a `pc_string_t` is yours; free it with pc_free. What you put into a
 * result is no longer yours. What a point's function is given is freed for you. A view (pc_view) owns nothing.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hook.h"

/* Text, not ended by a zero. */
typedef hook_string_t pc_string_t;

/* ---- What the hook says of itself. These are its author's wishes; the operator's hooks.toml wins. ---- */

typedef enum {
    PC_GATE,      /* continues or refuses, and changes nothing */
    PC_TRANSFORM, /* may answer anything its points allow */
    PC_OBSERVE,   /* looks on */
} pc_role;

typedef enum {
    PC_BY_ROLE, /* gate and transform fail closed, observe fails open */
    PC_FAIL_OPEN,
    PC_FAIL_CLOSED,
} pc_failure;

typedef enum {
    PC_BLOCKING,        /* until it answers */
    PC_DEADLINE,        /* until it answers or its deadline passes, which is a failure */
    PC_FIRE_AND_RECORD, /* not at all; the run is recorded */
    PC_BACKGROUND,      /* not at all; the run is queued and outlives the turn */
} pc_execution;

typedef struct {
    const char *id;          /* lower-case letters, digits and dashes */
    const char *description; /* one sentence */
    pc_role role;
    const char *version;     /* "0.1.0" if left out */
    const char *kind;        /* "hook" if left out */
    const int32_t *priority; /* PC_PRIORITY(10); low runs first; the host's, 100, if left out */
    pc_failure failure;
    uint32_t deadline_ms;    /* the host's if left out */
    pc_execution execution;  /* how the agent waits for it */
    const char *const *after; /* PC_AFTER("path-jail"): the hooks that must run before it */
    unsigned contributes;     /* PC_NOTE | PC_JOB: what it answers with; anything else is not taken */
} pc_card;

/* What a hook may contribute; each kind is a grant of the operator's. */
enum {
    PC_POLICY = 1 << PC_CONTRIBUTION_KIND_POLICY,
    PC_CONTEXT = 1 << PC_CONTRIBUTION_KIND_CONTEXT,
    PC_SECTION = 1 << PC_CONTRIBUTION_KIND_SECTION,
    PC_TOOLS = 1 << PC_CONTRIBUTION_KIND_TOOLS,
    PC_NOTE = 1 << PC_CONTRIBUTION_KIND_NOTE,
    PC_JOB = 1 << PC_CONTRIBUTION_KIND_JOB,
};

#define PC_PRIORITY(number) ((const int32_t[]){number})
#define PC_AFTER(...) ((const char *const[]){__VA_ARGS__, 0})
#define PORTCULLIS_HOOK(...) const pc_card pc_hook = {__VA_ARGS__}

extern const pc_card pc_hook;

/* ---- Text. ---- */

/* A view of a C string, which must live on. It owns nothing: never free it, never put it into a result. */
pc_string_t pc_view(const char *text);
/* A copy. */
pc_string_t pc_copy(const char *text);
pc_string_t pc_copy_n(const void *bytes, size_t len);
/* As printf does it. */
pc_string_t pc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void pc_free(pc_string_t *text);
bool pc_equals(pc_string_t text, const char *other);
bool pc_contains(pc_string_t text, const char *part);

/* ---- The log, which the operator reads. ---- */

void pc_debug(const char *message);
void pc_info(const char *message);
void pc_warn(const char *message);

/* ---- The operator's configuration: [hooks.ID.config] in hooks.toml. ---- */

/* The value of a key: a string as it is, anything else as JSON text. Says whether there is one. */
bool pc_config_text(const char *key, pc_string_t *value);
/* A whole number, `fallback` if there is none. Says whether what is there is one. */
bool pc_config_number(const char *key, int64_t fallback, int64_t *value);

/* Texts; free them with pc_texts_free. */
typedef struct {
    pc_string_t *items;
    size_t len;
} pc_texts;

/* A list of strings, empty if there is none. Says whether what is there is one. */
bool pc_config_list(const char *key, pc_texts *list);
void pc_texts_free(pc_texts *list);

/* ---- What the call is about. ---- */

/* The text in hand: at pre-turn what the user said, at llm-delta the piece. */
pc_string_t pc_content(void);
/* The arguments of the tool call in hand, as the text of a JSON object. */
pc_string_t pc_tool_arguments(void);
/* A part of content that is a text, for results. It takes the text. */
pc_content_part_t pc_text_part(pc_string_t text);

/* ---- The hook's own memory, for the length of the session; a grant of the operator's. ---- */

/* The value at a key. Says whether there is one. */
bool pc_recall(const char *key, pc_string_t *value);
/* Keeps a value once the call has succeeded. Says whether there was room. */
bool pc_remember(const char *key, pc_string_t value);
void pc_forget(const char *key);
/* Adds to the whole number at a key, at once. Says whether that could be done. */
bool pc_count(const char *key, int64_t by, int64_t *sum);

/* ---- Parts of results; what they are given is copied. ---- */

/* A refusal: a short, stable code for programs, and a reason for the person or the model that is refused. */
pc_rejection_t pc_rejection(const char *code, const char *reason);
/* A question that a person must answer. */
pc_ask_request_t pc_ask(const char *question);
/* The end of the turn, in good order. */
pc_stop_signal_t pc_stop(const char *code, const char *message);
/* The hook could not do its work; <point>_fail makes a result of it. */
pc_hook_error_t pc_failed(const char *why);
pc_hook_error_t pc_bad_config(const char *why);

/* A list of the type that a result takes, with these items, which it takes:
 *
 *     pre_turn_transform(PC_LIST(pre_turn_transform_t, pc_text_part(text)))
 */
#define PC_LIST(type, ...)                                                                 \
    ((type){                                                                               \
        .ptr = pc_items(PC_ITEMS(type, __VA_ARGS__), sizeof(PC_ITEMS(type, __VA_ARGS__))), \
        .len = sizeof(PC_ITEMS(type, __VA_ARGS__)) / sizeof(*((type *)0)->ptr),            \
    })
#define PC_ITEMS(type, ...) ((__typeof__(*((type *)0)->ptr)[]){__VA_ARGS__})
/* A copy of so many bytes; what PC_LIST is made with. */
void *pc_items(const void *items, size_t bytes);

#include "points.h"
