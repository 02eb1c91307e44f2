// what = "Refuses with a text that is no longer there."
// cause = ["bad-output", "trap"]
#include "hook.h"

static char *gone(void) {
    volatile char local[64];
    for (int i = 0; i < 64; i++)
        local[i] = -1;
    return (char *)local;
}
HANDLE {
    if (FRIENDLY)
        return CONTINUE;
    char *text = gone();
    reject(text, 64, text, 64, 0, 0, 0);
    return 1;
}
