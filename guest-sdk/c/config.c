/* The operator's configuration: texts, numbers, and lists of strings, which come as JSON. */

#include <string.h>

#include "core.h"

bool pc_config_text(pc_string_t key, pc_string_t *value) {
    hook_option_string_t found = {0};
    pc_config_error_t error;
    if (!pc_config_get(&key, &found, &error) || !found.is_some) return false;
    *value = found.val;
    return true;
}

bool pc_config_number(pc_string_t key, int64_t fallback, int64_t *value) {
    pc_string_t text;
    *value = fallback;
    if (!pc_config_text(key, &text)) return true;
    size_t at = text.len && text.ptr[0] == '-';
    int64_t sum = 0;
    bool is_number = at < text.len;
    for (size_t i = at; is_number && i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        is_number = digit >= 0 && digit <= 9 && !__builtin_mul_overflow(sum, 10, &sum) &&
                    !__builtin_sub_overflow(sum, digit, &sum);
    }
    if (!at && is_number) is_number = !__builtin_sub_overflow(0, sum, &sum);
    if (is_number) *value = sum;
    return is_number;
}

/* ---- A list of strings in JSON. ---- */

typedef struct {
    uint8_t *at, *end;
} reader;

static void skip_space(reader *r) {
    while (r->at < r->end && *r->at && strchr(" \t\r\n", *r->at)) r->at++;
}

static bool take(reader *r, uint8_t byte) {
    skip_space(r);
    if (r->at == r->end || *r->at != byte) return false;
    r->at++;
    return true;
}

static bool hex(reader *r, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        if (r->at == r->end) return false;
        uint8_t c = *r->at | 0x20;
        if (*r->at >= '0' && *r->at <= '9') *code = *code * 16 + (uint32_t)(*r->at - '0');
        else if (c >= 'a' && c <= 'f') *code = *code * 16 + (uint32_t)(c - 'a' + 10);
        else return false;
    }
    return true;
}

static size_t put(uint8_t *to, uint32_t code) {
    if (code < 0x80) return to[0] = (uint8_t)code, 1;
    if (code < 0x800) return to[0] = (uint8_t)(0xc0 | code >> 6), to[1] = (uint8_t)(0x80 | (code & 63)), 2;
    if (code < 0x10000)
        return to[0] = (uint8_t)(0xe0 | code >> 12), to[1] = (uint8_t)(0x80 | (code >> 6 & 63)),
               to[2] = (uint8_t)(0x80 | (code & 63)), 3;
    return to[0] = (uint8_t)(0xf0 | code >> 18), to[1] = (uint8_t)(0x80 | (code >> 12 & 63)),
           to[2] = (uint8_t)(0x80 | (code >> 6 & 63)), to[3] = (uint8_t)(0x80 | (code & 63)), 4;
}

static bool escaped(reader *r, uint8_t *to, size_t *len) {
    if (r->at == r->end) return false;
    uint8_t c = *r->at++;
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *known = c ? strchr(names, c) : NULL;
    if (known) {
        to[(*len)++] = (uint8_t)meant[known - names];
        return true;
    }
    uint32_t code, low;
    if (c != 'u' || !hex(r, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return false;
        r->at += 2;
        if (!hex(r, &low) || low < 0xdc00 || low > 0xdfff) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *len += put(to + *len, code);
    return true;
}

/* Decodes the text in place: a decoded character is never longer than its escape. */
static bool string(reader *r, pc_string_t *text) {
    if (!take(r, '"')) return false;
    *text = (pc_string_t){.ptr = r->at};
    while (r->at < r->end && *r->at != '"') {
        uint8_t byte = *r->at++;
        if (byte != '\\') text->ptr[text->len++] = byte;
        else if (!escaped(r, text->ptr, &text->len)) return false;
    }
    return take(r, '"');
}

static bool strings(reader *r, pc_strings_t *list) {
    if (!take(r, '[')) return false;
    if (take(r, ']')) return true;
    do {
        if (!string(r, &list->ptr[list->len])) return false;
        list->len++;
    } while (take(r, ','));
    return take(r, ']');
}

bool pc_config_list(pc_string_t key, pc_strings_t *list) {
    *list = (pc_strings_t){0};
    pc_string_t json;
    if (!pc_config_text(key, &json)) return true;
    /* No list has more items than commas and one. */
    size_t most = 1;
    for (size_t i = 0; i < json.len; i++) most += json.ptr[i] == ',';
    list->ptr = pc_alloc(most * sizeof *list->ptr);
    reader r = {.at = json.ptr, .end = json.ptr + json.len};
    bool is_list = strings(&r, list);
    if (!is_list) *list = (pc_strings_t){0};
    return is_list;
}
