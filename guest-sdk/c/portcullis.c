#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- The descriptor. ---- */

static pc_strings_t strings(const char *const *texts) {
    size_t len = 0;
    while (texts && texts[len]) len++;
    pc_strings_t list = {.ptr = pc_alloc(len * sizeof *list.ptr), .len = len};
    for (size_t i = 0; i < len; i++) list.ptr[i] = pc_text(texts[i]);
    return list;
}

void exports_describe_describe(exports_describe_descriptor_t *descriptor) {
    pc_begin_call();
    *descriptor = (exports_describe_descriptor_t){
        .id = pc_text(pc_hook.id),
        .version = pc_text(pc_hook.version ? pc_hook.version : "0.1.0"),
        .kind = pc_text(pc_hook.kind ? pc_hook.kind : "hook"),
        .description = pc_text(pc_hook.description ? pc_hook.description : ""),
        .points = strings(pc_points),
        .execution = (uint8_t)pc_hook.execution,
        .after = strings(pc_hook.after),
    };
    descriptor->priority.is_some = pc_hook.priority.is_set;
    descriptor->priority.val = pc_hook.priority.value;
    if (pc_hook.failure != PC_FAIL_DEFAULT) {
        descriptor->failure.is_some = true;
        descriptor->failure.val = pc_hook.failure == PC_FAIL_OPEN ? EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_OPEN
                                                                  : EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_CLOSED;
    }
    if (pc_hook.deadline_ms) {
        descriptor->deadline_ms.is_some = true;
        descriptor->deadline_ms.val = pc_hook.deadline_ms;
    }
}

/* ---- Failures. ---- */

bool pc_fail(pc_string_t message) {
    pc_failure_fail(&message);
    return true;
}

bool pc_bad_config(pc_string_t message) {
    pc_failure_bad_config(&message);
    return true;
}

/* ---- Text. ---- */

pc_string_t pc_join(const pc_string_t *texts, size_t len) {
    pc_string_t whole = {0};
    for (size_t i = 0; i < len; i++) whole.len += texts[i].len;
    uint8_t *end = whole.ptr = pc_alloc(whole.len);
    for (size_t i = 0; i < len; i++) {
        if (texts[i].len) memcpy(end, texts[i].ptr, texts[i].len);
        end += texts[i].len;
    }
    return whole;
}

pc_string_t pc_format(const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int len = vsnprintf(NULL, 0, format, values);
    va_end(values);
    pc_string_t text = {0};
    if (len > 0) {
        text = (pc_string_t){.ptr = pc_alloc((size_t)len + 1), .len = (size_t)len};
        vsnprintf((char *)text.ptr, (size_t)len + 1, format, again);
    }
    va_end(again);
    return text;
}

bool pc_equals(pc_string_t text, pc_string_t other) {
    return text.len == other.len && memcmp(text.ptr, other.ptr, text.len) == 0;
}

bool pc_contains(pc_string_t text, pc_string_t part) {
    for (size_t at = 0; part.len <= text.len && at <= text.len - part.len; at++)
        if (memcmp(text.ptr + at, part.ptr, part.len) == 0) return true;
    return false;
}

/* ---- The log. ---- */

static void say(uint8_t level, pc_string_t message) {
    pc_string_t context = pc_text(pc_hook.id);
    pc_logging_log(level, &context, &message);
}

void pc_debug(pc_string_t message) { say(PC_LOGGING_LEVEL_DEBUG, message); }
void pc_info(pc_string_t message) { say(PC_LOGGING_LEVEL_INFO, message); }
void pc_warn(pc_string_t message) { say(PC_LOGGING_LEVEL_WARN, message); }

/* Null unless the hook's own code uses them. Every stream that can be written to is one of these, or is opened by one. */
extern __typeof__(stdout) stdout __attribute__((weak));
FILE *fopen(const char *, const char *) __attribute__((weak));
FILE *fdopen(int, const char *) __attribute__((weak));
FILE *fmemopen(void *, size_t, const char *) __attribute__((weak));
FILE *open_memstream(char **, size_t *) __attribute__((weak));

/* Flushes only streams with unwritten data: a file that is read keeps its position. */
void pc_end_call(void) {
    if (&stdout || fopen || fdopen || fmemopen || open_memstream) fflush(NULL);
}

/* ---- State. ---- */

bool pc_recall(pc_string_t key, pc_string_t *value) {
    hook_list_u8_t bytes = {0};
    if (!pc_state_get(&key, &bytes)) return false;
    *value = (pc_string_t){.ptr = bytes.ptr, .len = bytes.len};
    return true;
}

bool pc_remember(pc_string_t key, pc_string_t value) {
    hook_list_u8_t bytes = {.ptr = value.ptr, .len = value.len};
    pc_state_state_error_t error;
    return pc_state_set(&key, &bytes, &error);
}

void pc_forget(pc_string_t key) { pc_state_delete(&key); }

bool pc_count(pc_string_t key, int64_t by, int64_t *sum) {
    pc_state_state_error_t error;
    return pc_state_increment(&key, by, sum, &error);
}
