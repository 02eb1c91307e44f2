// what = "Computes forever."
// cause = ["fuel", "deadline"]
#include "hook.h"

HANDLE {
    volatile unsigned count = current_turn();
    if (FRIENDLY)
        return CONTINUE;
    for (;;)
        count++;
}
