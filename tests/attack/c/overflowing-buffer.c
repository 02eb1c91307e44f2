// what = "Copies into a buffer of eight bytes until memory ends."
// cause = ["trap", "fuel", "deadline"]
#include "hook.h"

HANDLE {
    volatile char buffer[8];
    if (FRIENDLY)
        return CONTINUE;
    for (unsigned i = 0;; i++)
        buffer[i] = 'A';
}
