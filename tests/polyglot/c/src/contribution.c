#include "contribution.h"

#include <string.h>

/* Returns the text before `end`, and skips both; all of the text if `end` is missing. */
static pc_string_t until(const char **said, const char *end) {
    const char *from = *said, *at = strstr(from, end);
    size_t len = at ? (size_t)(at - from) : strlen(from);
    *said = at ? at + strlen(end) : from + len;
    return (pc_string_t){.ptr = (uint8_t *)from, .len = len};
}

static pc_string_t word(pc_string_t *rest) {
    uint8_t *at = memchr(rest->ptr, ' ', rest->len);
    size_t len = at ? (size_t)(at - rest->ptr) : rest->len;
    pc_string_t word = {.ptr = rest->ptr, .len = len};
    size_t skipped = at ? len + 1 : len;
    *rest = (pc_string_t){.ptr = rest->ptr + skipped, .len = rest->len - skipped};
    return word;
}

bool contribution_next(const char **said, contribution_t *next) {
    if (!**said) return false;
    pc_string_t rest = until(said, "; ");
    next->kind = word(&rest);
    next->name = word(&rest);
    next->text = rest;
    return true;
}
