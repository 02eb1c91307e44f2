#include "excess.h"

#include <stdlib.h>
#include <string.h>

void spin(void) {
    for (volatile unsigned turns = 0;; turns++) {}
}

void hoard(void) {
    for (;;) {
        void *volatile taken = malloc(1 << 20);
        if (!taken) abort();
        memset(taken, 1, 1 << 20);
    }
}
