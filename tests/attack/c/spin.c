// what = "Computes for ever."
// cause = ["fuel", "deadline"]
#include "hook.h"

HANDLE {
    volatile unsigned count = turn;
    if (FRIENDLY)
        return CONTINUE;
    for (;;)
        count++;
}
