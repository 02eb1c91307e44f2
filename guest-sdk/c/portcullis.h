/* Write Portcullis hooks in C.
 *
 * A hook declares itself with PORTCULLIS_HOOK, and has one function for each point it serves:
 *
 *     #include "portcullis.h"
 *
 *     PORTCULLIS_HOOK(.id = "quiet", .description = "Refuses turns that shout.");
 *
 *     bool on_pre_turn(void) {
 *         if (pc_contains(pc_content(), "!!!")) return pre_turn_reject("shouting", "Please ask again, calmly.");
 *         return PC_CONTINUE;
 *     }
 *
 * The function returns whether it answered. The functions for facts and answers, such as `pre_turn_text_bytes` and
 * `pre_turn_reject`, are in `points.h`, which `portcullis build` generates for the points that the hook serves. An
 * answer is given by calling its function, which returns true: return its result. Answers that begin with
 * `add_` may be given any number of times. The rest of the contract is in `hook.h`, generated too: the types
 * `pc_…_t` and the functions `pc_conversation_…`, `pc_state_…`, ….
 *
 * The component imports the functions that the code calls and no others, so it can do nothing else.
 *
 * Nothing here has to be freed. What these functions return, and what pc_alloc gives, is valid until the hook's function
 * returns. What must last longer is kept in memory from `malloc`. What a function takes it only reads.
 *
 * Wherever a function here or in `points.h` takes a pc_string_t, a C string will do.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hook.h"

/* Text in UTF-8: `ptr` and `len`. It is not terminated by a zero, and may contain one. */
typedef hook_string_t pc_string_t;
/* A list of texts: `ptr` and `len`. */
typedef hook_list_string_t pc_strings_t;

/* ---- The hook's descriptor. The operator's hooks.toml overrides it. ---- */

typedef enum {
    PC_FAIL_DEFAULT, /* open for a hook that only observes, closed for any other */
    PC_FAIL_OPEN,    /* as if the hook had not answered */
    PC_FAIL_CLOSED,  /* as if it had refused */
} pc_failure;

typedef enum {
    PC_BLOCKING,        /* until it answers */
    PC_DEADLINE,        /* until it answers or its deadline passes, which is a failure */
    PC_FIRE_AND_RECORD, /* not at all; the run is recorded */
    PC_BACKGROUND,      /* not at all; the run is queued and may outlive the turn */
} pc_execution;

typedef struct {
    const char *id;           /* lower-case letters, digits and dashes */
    const char *description;  /* one sentence */
    const char *version;      /* "0.1.0" if left out */
    const char *kind;         /* "hook" if left out */
    const int32_t *priority;  /* PC_PRIORITY(10); low runs first; the host's default, 100, if left out */
    pc_failure failure;       /* what a failure of the hook means */
    uint32_t deadline_ms;     /* the host's default if left out */
    pc_execution execution;   /* how the agent waits for it */
    const char *const *after; /* PC_AFTER("path-jail"): the hooks that must run before it */
} pc_descriptor;

#define PC_PRIORITY(number) ((const int32_t[]){number})
#define PC_AFTER(...) ((const char *const[]){__VA_ARGS__, 0})
#define PORTCULLIS_HOOK(...) const pc_descriptor pc_hook = {__VA_ARGS__}

extern const pc_descriptor pc_hook;

/* ---- What a hook's function returns. ---- */

/* No answer: the call continues. */
#define PC_CONTINUE false
/* An answer was given; the result of an answer's function is the same. */
#define PC_ANSWERED true

/* The hook could not do its work. A failure is never a refusal. Both return true, as answers do. */
bool pc_fail(pc_string_t message) __attribute__((warn_unused_result));
/* The operator's configuration is wrong. */
bool pc_bad_config(pc_string_t message) __attribute__((warn_unused_result));

/* ---- Where in the agent's life the call happens. ---- */

static inline pc_context_t pc_context(void) {
    pc_context_t context;
    pc_call_context(&context);
    return context;
}
static inline pc_string_t pc_session_id(void) {
    pc_string_t id;
    pc_call_session_id(&id);
    return id;
}
/* The name of the agent whose loop is running. */
static inline pc_string_t pc_agent(void) {
    pc_string_t name;
    pc_call_agent(&name);
    return name;
}
/* The turn, counted from 1; 0 outside of any turn. */
static inline uint32_t pc_turn(void) { return pc_call_turn(); }
/* The step within the turn, counted from 1; 0 outside of any step. */
static inline uint32_t pc_step(void) { return pc_call_step(); }

/* ---- Text. ---- */

/* A pc_string_t as it is, or one of a C string, which is not copied. */
#define PC_TEXT(text) _Generic((text), pc_string_t: pc_same_text, default: pc_text)(text)
static inline pc_string_t pc_text(const char *text) {
    return (pc_string_t){.ptr = (uint8_t *)text, .len = __builtin_strlen(text)};
}
static inline pc_string_t pc_same_text(pc_string_t text) { return text; }

/* As printf does it. `%.*s` with PC_SHOW(text) writes a pc_string_t. */
pc_string_t pc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define PC_SHOW(text) (int)(text).len, (const char *)(text).ptr

bool pc_equals(pc_string_t text, pc_string_t other);
bool pc_contains(pc_string_t text, pc_string_t part);

/* ---- Memory of the call. ---- */

/* So many bytes, which are not zeroed. Without memory left the hook traps. */
void *pc_alloc(size_t size);

/* A place in the memory of the call. What is taken after it is free again after pc_release: for long loops. */
typedef struct {
    struct pc_chunk *chunk;
    uint8_t *at;
} pc_mark_t;
pc_mark_t pc_mark(void);
void pc_release(pc_mark_t mark);

/* ---- Values of answers. ---- */

/* Items as two arguments, or as the value of a list in a record:
 *
 *     pre_turn_transform(PC_ITEMS(pc_content_part_t, pc_text_part("Hello.")))
 *     (pc_message_t){.role = PC_ROLE_USER, .content = {PC_ITEMS(pc_content_part_t, pc_text_part("Hello."))}}
 */
#define PC_ITEMS(type, ...) ((type[]){__VA_ARGS__}), sizeof((type[]){__VA_ARGS__}) / sizeof(type)
/* The value of an option in a record: `.model = PC_SOME(PC_TEXT("small"))`. */
#define PC_SOME(value) {true, value}

/* A part of a message that is a text. */
static inline pc_content_part_t pc_text_part(pc_string_t text) {
    return (pc_content_part_t){.tag = PC_CONTENT_PART_TEXT, .val.text = text};
}
/* Why a turn is to end, for the reasons that the contract does not list: a short, stable code. */
static inline pc_stop_kind_t pc_stop_other(pc_string_t code) {
    return (pc_stop_kind_t){.tag = PC_STOP_KIND_OTHER, .val.other = code};
}

/* ---- What the call is about. ---- */

/* The current text: at pre-turn what the user said, at llm-delta the piece. */
static inline pc_string_t pc_content(void) {
    pc_string_t text;
    pc_content_text(&text);
    return text;
}
/* The arguments of the current tool call, as the text of a JSON object. */
static inline pc_string_t pc_tool_arguments(void) {
    pc_string_t text;
    pc_tool_data_input(&text);
    return text;
}
/* What the tool gave back. Returns whether it ran already. */
static inline bool pc_tool_output(pc_string_t *output) { return pc_tool_data_output(output); }

/* ---- The log, which the operator reads. ---- */

void pc_debug(pc_string_t message);
void pc_info(pc_string_t message);
void pc_warn(pc_string_t message);

/* ---- The operator's configuration: [hooks.ID.config] in hooks.toml. ---- */

/* The value of a key: a string as it is, anything else as JSON text. Returns whether there is one. */
bool pc_config_text(pc_string_t key, pc_string_t *value);
/* A whole number, `fallback` if there is none. Returns whether the value is one. */
bool pc_config_number(pc_string_t key, int64_t fallback, int64_t *value);
/* A list of strings, empty if there is none. Returns whether the value is one. */
bool pc_config_list(pc_string_t key, pc_strings_t *list);

/* ---- The hook's own memory, for the length of the session; it must be granted. ---- */

/* The value at a key. Returns whether there is one. */
bool pc_recall(pc_string_t key, pc_string_t *value);
/* Keeps a value once the call has succeeded. Returns whether there was room. */
bool pc_remember(pc_string_t key, pc_string_t value);
void pc_forget(pc_string_t key);
/* Adds to the whole number at a key, at once. Returns whether that could be done. */
bool pc_count(pc_string_t key, int64_t by, int64_t *sum);

/* ---- Requests to the servers that the operator grants: http = ["POST https://policy.example.com/v1"]. ---- */

/* A header. */
typedef struct {
    pc_string_t name, value;
} pc_http_header_t;
typedef struct {
    pc_http_header_t *ptr;
    size_t len;
} pc_http_headers_t;

typedef struct {
    const char *method;        /* in capitals; "GET" if left out */
    pc_string_t url;           /* PC_TEXT("https://policy.example.com/v1") */
    pc_http_headers_t headers; /* {PC_ITEMS(pc_http_header_t, {PC_TEXT("accept"), PC_TEXT("text/plain")})} */
    pc_string_t body;          /* none if left out */
    uint32_t timeout_ms;       /* for a connection, the response and more of it; the operator's limits if left out */
} pc_http_request_t;

/* Why there is no response. */
typedef enum {
    PC_HTTP_INVALID,   /* it is no request */
    PC_HTTP_REFUSED,   /* the operator did not grant it, or too many are under way */
    PC_HTTP_TIMED_OUT, /* the server, or the way to it, took too long */
    PC_HTTP_FAILED,    /* anything else: no such server, no connection, no trust */
} pc_http_error;

typedef struct {
    uint16_t status;           /* such as 200 */
    pc_http_headers_t headers; /* their names are in small letters */
    pc_string_t body;
    pc_http_error error;       /* if there is no response */
    pc_string_t why;           /* the same in words, for pc_fail */
} pc_http_response_t;

/* Sends a request and waits for the whole response. Returns whether there is one, of any status. Redirects are not
 * followed. */
bool pc_http_request(const pc_http_request_t *request, pc_http_response_t *response)
    __attribute__((warn_unused_result));
/* The first header of this name. Returns whether there is one. */
bool pc_http_header(const pc_http_response_t *response, pc_string_t name, pc_string_t *value);

/* ---- C strings for texts, as above. ---- */

#define pc_fail(message) pc_fail(PC_TEXT(message))
#define pc_bad_config(message) pc_bad_config(PC_TEXT(message))
#define pc_equals(text, other) pc_equals(PC_TEXT(text), PC_TEXT(other))
#define pc_contains(text, part) pc_contains(PC_TEXT(text), PC_TEXT(part))
#define pc_text_part(text) pc_text_part(PC_TEXT(text))
#define pc_stop_other(code) pc_stop_other(PC_TEXT(code))
#define pc_debug(message) pc_debug(PC_TEXT(message))
#define pc_info(message) pc_info(PC_TEXT(message))
#define pc_warn(message) pc_warn(PC_TEXT(message))
#define pc_config_text(key, value) pc_config_text(PC_TEXT(key), value)
#define pc_config_number(key, fallback, value) pc_config_number(PC_TEXT(key), fallback, value)
#define pc_config_list(key, list) pc_config_list(PC_TEXT(key), list)
#define pc_recall(key, value) pc_recall(PC_TEXT(key), value)
#define pc_remember(key, value) pc_remember(PC_TEXT(key), PC_TEXT(value))
#define pc_forget(key) pc_forget(PC_TEXT(key))
#define pc_count(key, by, sum) pc_count(PC_TEXT(key), by, sum)
#define pc_http_header(response, name, value) pc_http_header(response, PC_TEXT(name), value)

/* ---- For the generated code. ---- */

/* Frees the memory of the call before. */
void pc_begin_call(void);
/* Writes what is left in the streams of the C library. */
void pc_end_call(void);
/* An answer, whose result must be returned, and one of those that may be repeated. */
#define PC_ANSWER __attribute__((warn_unused_result)) static inline bool
#define PC_CONTRIBUTION static inline bool

#include "points.h"
