// what = "Calls a function as if it took other arguments."
// cause = ["trap"]
#include "hook.h"

static double half(double of) { return of / 2; }
HANDLE {
    int (*volatile other)(int, int) = (int (*)(int, int))half;
    return FRIENDLY ? CONTINUE : other(1, 2);
}
