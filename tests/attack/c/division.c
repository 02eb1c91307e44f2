// what = "Divides by zero."
// cause = ["trap"]
#include "hook.h"

HANDLE {
    volatile unsigned zero = 0;
    return FRIENDLY ? CONTINUE : (int)(current_turn() / zero);
}
