// what = "Answers with the address of something that is no longer there."
// cause = ["bad-output", "trap"]
#include "hook.h"

static int *gone(void) {
    volatile int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = -1;
    return (int *)local;
}
HANDLE {
    return FRIENDLY ? CONTINUE : (int)gone();
}
