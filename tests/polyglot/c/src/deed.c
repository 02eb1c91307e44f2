#include "deed.h"

#include <stdlib.h>
#include <string.h>

#include "excess.h"
#include "look.h"

static const struct {
    const char *name;
    deed_kind kind;
} KINDS[] = {
    {"continue", CONTINUE}, {"reject", REJECT}, {"transform", TRANSFORM},   {"append", TRANSFORM},
    {"replace", REPLACE},   {"answer", ANSWER}, {"ask", ASK},               {"stop", STOP},
    {"fail", FAIL},         {"keep-going", KEEP_GOING}, {"contribute", CONTRIBUTE},
};

/* What is configured for a point, as a C string; the one of the call before is freed. */
static char *said_at(const char *point) {
    static char *said;
    pc_string_t text;
    if (!pc_config_text(point, &text)) text = pc_copy("continue");
    free(said);
    said = calloc(text.len + 1, 1);
    if (!said) abort();
    memcpy(said, text.ptr, text.len);
    pc_free(&text);
    return said;
}

static bool has_text(deed_kind kind) {
    return kind == TRANSFORM || kind == REPLACE || kind == ANSWER || kind == KEEP_GOING;
}

static deed_t saying(int64_t number) {
    return (deed_t){.kind = TRANSFORM, .text = pc_format("%lld", (long long)number)};
}

static deed_t remember(void) {
    int64_t calls;
    if (!pc_count("calls", 1, &calls)) return (deed_t){.kind = FAIL, .rest = "the state does not count"};
    return saying(calls);
}

deed_t deed_at(const char *point, pc_string_t (*now)(void)) {
    static int64_t calls;
    char *does = said_at(point), *rest = strchr(does, ' ');
    if (rest) *rest++ = 0;
    else rest = does + strlen(does);

    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(does, KINDS[i].name) != 0) continue;
        deed_t deed = {.kind = KINDS[i].kind, .rest = rest};
        if (!has_text(deed.kind)) return deed;
        pc_string_t had = strcmp(does, "append") == 0 && now ? now() : pc_copy("");
        deed.text = pc_format("%.*s%s", (int)had.len, (char *)had.ptr, rest);
        pc_free(&had);
        return deed;
    }
    if (strcmp(does, "count") == 0) return saying(++calls);
    if (strcmp(does, "remember") == 0) return remember();
    if (strcmp(does, "look") == 0) return (deed_t){.kind = TRANSFORM, .text = look()};
    if (strcmp(does, "panic") == 0) __builtin_trap();
    if (strcmp(does, "remember-and-panic") == 0) {
        (void)remember();
        __builtin_trap();
    }
    if (strcmp(does, "spin") == 0) spin();
    if (strcmp(does, "hoard") == 0) hoard();
    return (deed_t){.kind = FAIL, .rest = "no such deed"};
}

pc_string_t deed_take(deed_t *deed) {
    pc_string_t text = deed->text;
    deed->text = (pc_string_t){0};
    return text;
}

void deed_done(deed_t *deed) { pc_free(&deed->text); }

pc_message_edit_t deed_insert(pc_string_t text) {
    pc_message_edit_t edit = {.tag = PC_MESSAGE_EDIT_INSERT};
    edit.val.insert.f0 = pc_conversation_len();
    edit.val.insert.f1 = (pc_message_t){
        .role = PC_ROLE_USER,
        .content = PC_LIST(pc_list_content_part_t, pc_text_part(text)),
    };
    return edit;
}
