#include "action.h"

#include <string.h>

#include "excess.h"
#include "view.h"

static const struct {
    const char *name;
    action_kind kind;
} KINDS[] = {
    {"continue", CONTINUE}, {"reject", REJECT}, {"transform", TRANSFORM},   {"append", TRANSFORM},
    {"replace", REPLACE},   {"answer", ANSWER}, {"ask", ASK},               {"stop", STOP},
    {"fail", FAIL},         {"keep-going", KEEP_GOING}, {"contribute", CONTRIBUTE},
};

/* Returns the configured action of a point, as a C string. */
static char *said_at(const char *point) {
    pc_string_t text;
    if (!pc_config_text(point, &text)) text = PC_TEXT("continue");
    char *said = pc_alloc(text.len + 1);
    memcpy(said, text.ptr, text.len);
    said[text.len] = 0;
    return said;
}

static bool has_text(action_kind kind) {
    return kind == TRANSFORM || kind == REPLACE || kind == ANSWER || kind == KEEP_GOING;
}

static action_t saying(int64_t number) {
    return (action_t){.kind = TRANSFORM, .text = pc_format("%lld", (long long)number)};
}

static action_t remember(void) {
    int64_t calls;
    if (!pc_count("calls", 1, &calls)) return (action_t){.kind = FAIL, .rest = "the state does not count"};
    return saying(calls);
}

action_t action_at(const char *point, pc_string_t (*current)(void)) {
    static int64_t calls;
    char *does = said_at(point), *rest = strchr(does, ' ');
    if (rest) *rest++ = 0;
    else rest = does + strlen(does);

    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(does, KINDS[i].name) != 0) continue;
        action_t action = {.kind = KINDS[i].kind, .rest = rest};
        if (!has_text(action.kind)) return action;
        pc_string_t had = strcmp(does, "append") == 0 && current ? current() : PC_TEXT("");
        action.text = pc_join(PC_ITEMS(pc_string_t, had, pc_text(rest)));
        return action;
    }
    if (strcmp(does, "count") == 0) return saying(++calls);
    if (strcmp(does, "remember") == 0) return remember();
    if (strcmp(does, "look") == 0) return (action_t){.kind = TRANSFORM, .text = view()};
    if (strcmp(does, "panic") == 0) __builtin_trap();
    if (strcmp(does, "remember-and-panic") == 0) {
        (void)remember();
        __builtin_trap();
    }
    if (strcmp(does, "spin") == 0) spin();
    if (strcmp(does, "hoard") == 0) hoard();
    return (action_t){.kind = FAIL, .rest = "no such action"};
}
