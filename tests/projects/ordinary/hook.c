/* For fmemopen. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>

#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Does what people do.");

__attribute__((noinline)) static int inner(const int *words) {
    if (words[0] == 0) __builtin_trap();
    return words[0];
}

bool on_pre_turn(void) {
    pc_string_t action = pc_content();
    if (pc_equals(action, "print")) {
        printf("out %d\n", 1);
        printf("no end");
        fprintf(stderr, "err\n");
        return pre_turn_reject("done", "");
    }
    if (pc_equals(action, "time")) {
        struct timeval now;
        gettimeofday(&now, NULL);
        return pre_turn_reject("done", pc_format("%lld", now.tv_sec * 1000LL + now.tv_usec / 1000));
    }
    if (pc_equals(action, "random")) {
        uint64_t number;
        getentropy(&number, sizeof number);
        return pre_turn_reject("done", pc_format("%llu", (unsigned long long)number));
    }
    if (pc_equals(action, "file")) {
        FILE *file = fopen("/etc/passwd", "r");
        return pre_turn_reject("done", file ? "a file" : "no file");
    }
    if (pc_equals(action, "flood")) {
        for (int line = 0; line < 20000; line++) printf("line %d of what is too much\n", line);
        return pre_turn_reject("done", "");
    }
    if (pc_equals(action, "red")) {
        fprintf(stderr, "\x1b[31mred\n");
        abort();
    }
    if (pc_equals(action, "read on")) {
        static FILE *file;
        static char lines[10000];
        if (!file) {
            for (int line = 0; line < 1000; line++) snprintf(lines + line * 9, 10, "line %03d\n", line);
            file = fmemopen(lines, 9000, "r");
        }
        char line[16], last[16];
        int count = 0;
        while (count < 500 && fgets(line, sizeof line, file)) {
            memcpy(last, line, sizeof line);
            count++;
        }
        last[8] = 0;
        return pre_turn_reject("done", pc_format("%d, %s", count, last));
    }
    if (pc_equals(action, "much")) {
        static char much[5 << 20];
        (pc_info)((pc_string_t){.ptr = (uint8_t *)much, .len = sizeof much});
    }
    if (pc_equals(action, "trap")) {
        static int words[2];
        words[0] = pc_equals(action, "never");
        return pre_turn_reject("done", pc_format("%d", inner(words)));
    }
    assert(!"boom 3");
    return PC_CONTINUE;
}
