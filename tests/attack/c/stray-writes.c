// what = "Writes over all of its memory, its own card and its own answer among it."
// cause = ["bad-output", "trap"]
#include "hook.h"

HANDLE {
    if (FRIENDLY)
        return CONTINUE;
    for (volatile unsigned char *at = (unsigned char *)1; at < (unsigned char *)60000; at++)
        *at = 0xAA;
    return 2048;
}
