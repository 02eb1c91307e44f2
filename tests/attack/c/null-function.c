// what = "Calls a function that is none."
// cause = ["trap"]
#include "hook.h"

HANDLE {
    int (*volatile none)(int) = 0;
    return FRIENDLY ? CONTINUE : none(1);
}
