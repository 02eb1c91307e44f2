/* The functions of the SDK, for all of its languages that compile C: `portcullis.h` offers them in C, `portcullis.hpp` in C++
 * and `portcullis.zig` in Zig. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hook.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    PC_BLOCKING,        /* the agent waits until the hook answers */
    PC_DEADLINE,        /* the agent waits until the hook answers or its deadline passes, which is a failure */
    PC_FIRE_AND_RECORD, /* the agent does not wait; the run is recorded */
    PC_BACKGROUND,      /* the agent does not wait; the run is queued and may outlive the turn */
} pc_execution;

typedef struct {
    bool is_set;
    int32_t value;
} pc_priority;

typedef struct {
    const char *id;           /* lower-case letters, digits and dashes */
    const char *description;  /* one sentence */
    const char *version;      /* "0.1.0" if left out */
    const char *kind;         /* "hook" if left out */
    pc_priority priority;     /* PC_PRIORITY(10); low runs first; the host's default, 100, if left out */
    pc_failure failure;       /* the effect of a failure of the hook */
    uint32_t deadline_ms;     /* the host's default if left out */
    pc_execution execution;   /* the way that the agent waits for the hook */
    const char *const *after; /* PC_AFTER("path-jail"): the hooks that must run before it */
} pc_descriptor;

/* The descriptor of the hook. */
extern const pc_descriptor pc_hook;
/* The names of the points that it serves, up to a NULL. */
extern const char *const pc_points[];

/* ---- Failures. A failure is never a refusal. Both return true, as answers do. ---- */

/* Reports that the hook could not do its work. */
bool pc_fail(pc_string_t message) __attribute__((warn_unused_result));
/* Reports that the operator's configuration is wrong. */
bool pc_bad_config(pc_string_t message) __attribute__((warn_unused_result));

/* ---- Text. ---- */

/* Returns a C string as a text, without a copy. */
static inline pc_string_t pc_text(const char *text) {
    pc_string_t whole = {(uint8_t *)text, __builtin_strlen(text)};
    return whole;
}

/* Formats as printf does. `%.*s` with PC_SHOW(text) writes a pc_string_t up to its first zero; pc_join writes all of it. */
pc_string_t pc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define PC_SHOW(text) (int)(text).len, (const char *)(text).ptr

/* Concatenates the texts. */
pc_string_t pc_join(const pc_string_t *texts, size_t len);

bool pc_equals(pc_string_t text, pc_string_t other);
bool pc_contains(pc_string_t text, pc_string_t part);

/* ---- Memory of the call. ---- */

/* Allocates bytes, which are not zeroed. The hook traps if there is no memory left. */
void *pc_alloc(size_t size);

/* A position in the memory of the call. pc_release frees the memory that was taken after it: for long loops. */
typedef struct {
    struct pc_chunk *chunk;
    uint8_t *at;
} pc_mark_t;
pc_mark_t pc_mark(void);
void pc_release(pc_mark_t mark);

/* ---- The log, which the operator reads. ---- */

void pc_debug(pc_string_t message);
void pc_info(pc_string_t message);
void pc_warn(pc_string_t message);

/* ---- The operator's configuration: [hooks.ID.config] in hooks.toml. ---- */

/* Gets the value of a key: a string as it is, anything else as JSON text. Returns whether there is one. */
bool pc_config_text(pc_string_t key, pc_string_t *value);
/* Gets a whole number, `fallback` if there is none. Returns false if the value is not a whole number. */
bool pc_config_number(pc_string_t key, int64_t fallback, int64_t *value);
/* Gets a list of strings, empty if there is none. Returns false if the value is not such a list. */
bool pc_config_list(pc_string_t key, pc_strings_t *list);

/* ---- The hook's own state, for the length of the session; it must be granted. ---- */

/* Gets the value at a key. Returns whether there is one. */
bool pc_recall(pc_string_t key, pc_string_t *value);
/* Keeps a value once the call has succeeded. Returns whether there was room. */
bool pc_remember(pc_string_t key, pc_string_t value);
void pc_forget(pc_string_t key);
/* Adds to the whole number at a key, at once. Returns whether it succeeded. */
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
    uint32_t timeout_ms;       /* to connect, to the first byte and between bytes; the operator's limits if left out */
} pc_http_request_t;

/* The reason why there is no response. */
typedef enum {
    PC_HTTP_INVALID,   /* the request is not valid */
    PC_HTTP_REFUSED,   /* the operator did not grant it, or too many are in flight */
    PC_HTTP_TIMED_OUT, /* the server, or the connection to it, took too long */
    PC_HTTP_FAILED,    /* any other failure, such as an unknown server or an untrusted certificate */
} pc_http_error;

typedef struct {
    uint16_t status;           /* such as 200 */
    pc_http_headers_t headers; /* with names in lower case */
    pc_string_t body;
    pc_http_error error;       /* if there is no response */
    pc_string_t why;           /* the same in words, for pc_fail */
} pc_http_response_t;

/* Sends a request and waits for the whole response. Returns whether there is one, of any status. Redirects are not
 * followed. */
bool pc_http_request(const pc_http_request_t *request, pc_http_response_t *response)
    __attribute__((warn_unused_result));
/* Gets the first header of this name. Returns whether there is one. */
bool pc_http_header(const pc_http_response_t *response, pc_string_t name, pc_string_t *value);

/* ---- For the generated code. ---- */

/* Frees the memory of the previous call. */
void pc_begin_call(void);
/* Flushes the streams of the C library. */
void pc_end_call(void);

#ifdef __cplusplus
}
#endif
