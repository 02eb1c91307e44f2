// what = "Calls itself with an array of a kilobyte each time."
// cause = ["trap", "bad-output"]
#include "hook.h"

static int deeper(int n) {
    volatile char array[1024];
    array[n & 1023] = (char)n;
    return deeper(n + 1) + array[(n + 1) & 1023];
}
HANDLE {
    return FRIENDLY ? CONTINUE : deeper(1);
}
