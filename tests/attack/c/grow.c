// what = "Grows its memory until it may not."
// cause = ["memory"]
#include "hook.h"

HANDLE {
    if (FRIENDLY)
        return CONTINUE;
    for (;;)
        __builtin_wasm_memory_grow(0, 64);
}
