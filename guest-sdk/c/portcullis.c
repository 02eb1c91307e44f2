#include "portcullis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The card. ---- */

extern const char *const pc_points[];

static hook_list_string_t strings(const char *const *texts) {
    size_t len = 0;
    while (texts && texts[len]) len++;
    hook_list_string_t list = {.ptr = calloc(len ? len : 1, sizeof(pc_string_t)), .len = len};
    if (!list.ptr) abort();
    for (size_t i = 0; i < len; i++) list.ptr[i] = pc_copy(texts[i]);
    return list;
}

static exports_describe_list_contribution_kind_t kinds(unsigned contributes) {
    exports_describe_list_contribution_kind_t list = {.ptr = calloc(8 * sizeof contributes, sizeof *list.ptr)};
    if (!list.ptr) abort();
    for (uint8_t kind = 0; contributes; kind++, contributes >>= 1)
        if (contributes & 1) list.ptr[list.len++] = kind;
    return list;
}

void exports_describe_describe(exports_describe_descriptor_t *card) {
    *card = (exports_describe_descriptor_t){
        .id = pc_copy(pc_hook.id),
        .version = pc_copy(pc_hook.version ? pc_hook.version : "0.1.0"),
        .kind = pc_copy(pc_hook.kind ? pc_hook.kind : "hook"),
        .description = pc_copy(pc_hook.description ? pc_hook.description : ""),
        .role = (uint8_t)pc_hook.role,
        .points = strings(pc_points),
        .execution = (uint8_t)pc_hook.execution,
        .after = strings(pc_hook.after),
        .contributes = kinds(pc_hook.contributes),
    };
    if (pc_hook.priority) {
        card->priority.is_some = true;
        card->priority.val = *pc_hook.priority;
    }
    if (pc_hook.failure != PC_BY_ROLE) {
        card->failure.is_some = true;
        card->failure.val = pc_hook.failure == PC_FAIL_OPEN ? EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_OPEN
                                                            : EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_CLOSED;
    }
    if (pc_hook.deadline_ms) {
        card->deadline_ms.is_some = true;
        card->deadline_ms.val = pc_hook.deadline_ms;
    }
}

/* ---- Text. ---- */

pc_string_t pc_view(const char *text) {
    return (pc_string_t){.ptr = (uint8_t *)text, .len = strlen(text)};
}

pc_string_t pc_copy_n(const void *bytes, size_t len) {
    /* As the bindings have it, nothing is allocated for an empty text. */
    if (!len) return (pc_string_t){.ptr = (uint8_t *)1};
    pc_string_t copy = {.ptr = malloc(len), .len = len};
    /* A hook without memory cannot go on; the host takes that as a failure. */
    if (!copy.ptr) abort();
    memcpy(copy.ptr, bytes, len);
    return copy;
}

pc_string_t pc_copy(const char *text) { return pc_copy_n(text, strlen(text)); }

pc_string_t pc_format(const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int len = vsnprintf(NULL, 0, format, values);
    va_end(values);
    pc_string_t text = pc_copy_n("", 0);
    if (len > 0) {
        text = (pc_string_t){.ptr = malloc((size_t)len + 1), .len = (size_t)len};
        if (!text.ptr) abort();
        vsnprintf((char *)text.ptr, (size_t)len + 1, format, again);
    }
    va_end(again);
    return text;
}

void pc_free(pc_string_t *text) {
    if (text->len) free(text->ptr);
    *text = (pc_string_t){0};
}

bool pc_equals(pc_string_t text, const char *other) {
    return text.len == strlen(other) && memcmp(text.ptr, other, text.len) == 0;
}

bool pc_contains(pc_string_t text, const char *part) {
    size_t len = strlen(part);
    for (size_t at = 0; len <= text.len && at <= text.len - len; at++)
        if (memcmp(text.ptr + at, part, len) == 0) return true;
    return false;
}

/* ---- The log. ---- */

static void say(uint8_t level, const char *message) {
    pc_string_t context = pc_view(pc_hook.id), text = pc_view(message);
    pc_logging_log(level, &context, &text);
}

void pc_debug(const char *message) { say(PC_LOGGING_LEVEL_DEBUG, message); }
void pc_info(const char *message) { say(PC_LOGGING_LEVEL_INFO, message); }
void pc_warn(const char *message) { say(PC_LOGGING_LEVEL_WARN, message); }

/* ---- What the call is about. ---- */

pc_string_t pc_content(void) {
    pc_string_t text = {0};
    pc_content_text(&text);
    return text;
}

pc_string_t pc_tool_arguments(void) {
    pc_string_t text = {0};
    pc_tool_data_input(&text);
    return text;
}

pc_content_part_t pc_text_part(pc_string_t text) {
    return (pc_content_part_t){.tag = PC_CONTENT_PART_TEXT, .val.text = text};
}

void *pc_items(const void *items, size_t bytes) {
    void *copy = malloc(bytes);
    if (!copy) abort();
    return memcpy(copy, items, bytes);
}

/* ---- Memory. ---- */

bool pc_recall(const char *key, pc_string_t *value) {
    pc_string_t at = pc_view(key);
    hook_list_u8_t bytes = {0};
    if (!pc_state_get(&at, &bytes)) return false;
    *value = (pc_string_t){.ptr = bytes.ptr, .len = bytes.len};
    return true;
}

bool pc_remember(const char *key, pc_string_t value) {
    pc_string_t at = pc_view(key);
    hook_list_u8_t bytes = {.ptr = value.ptr, .len = value.len};
    pc_state_state_error_t error;
    if (pc_state_set(&at, &bytes, &error)) return true;
    pc_state_state_error_free(&error);
    return false;
}

void pc_forget(const char *key) {
    pc_string_t at = pc_view(key);
    pc_state_delete(&at);
}

bool pc_count(const char *key, int64_t by, int64_t *sum) {
    pc_string_t at = pc_view(key);
    pc_state_state_error_t error;
    if (pc_state_increment(&at, by, sum, &error)) return true;
    pc_state_state_error_free(&error);
    return false;
}

/* ---- Parts of results. ---- */

pc_rejection_t pc_rejection(const char *code, const char *reason) {
    return (pc_rejection_t){.code = pc_copy(code), .reason = pc_copy(reason)};
}

pc_ask_request_t pc_ask(const char *question) { return (pc_ask_request_t){.question = pc_copy(question)}; }

pc_stop_signal_t pc_stop(const char *code, const char *message) {
    return (pc_stop_signal_t){
        .kind = {.tag = PC_STOP_KIND_OTHER, .val.other = pc_copy(code)},
        .message = pc_copy(message),
    };
}

pc_hook_error_t pc_failed(const char *why) {
    return (pc_hook_error_t){.tag = PC_HOOK_ERROR_FAILED, .val.failed = pc_copy(why)};
}

pc_hook_error_t pc_bad_config(const char *why) {
    return (pc_hook_error_t){.tag = PC_HOOK_ERROR_BAD_CONFIG, .val.bad_config = pc_copy(why)};
}
