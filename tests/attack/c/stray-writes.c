// what = "Writes over all of its memory, its own descriptor and its own answer among it."
// cause = ["bad-output", "trap"]
#include "hook.h"

HANDLE {
    if (FRIENDLY)
        return CONTINUE;
    for (volatile unsigned char *at = (unsigned char *)1; at < (unsigned char *)60000; at++)
        *at = 0xAA;
    reject((char *)2048, 16, (char *)2048, 16, 0, 0, 0);
    return 1;
}
