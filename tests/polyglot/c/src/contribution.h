/* The contributions of the probe: `KIND …`, separated by `; `.
 *
 *     policy DOMAIN JSON · context KIND TEXT · section ID TEXT · tool NAME · note CODE · job NAME
 */
#pragma once

#include "portcullis.h"

typedef struct {
    pc_string_t kind, name, text;
} contribution_t;

/* Removes the first contribution from the text. Returns whether there was one. */
bool contribution_next(const char **said, contribution_t *next);

/* Defines `<point>_contributions`, which makes all contributions in a text. `OWN` makes those of this point only. */
#define CONTRIBUTIONS(point, OWN)                                                       \
    static bool point##_contributions(const char *said) {                               \
        bool added = false;                                                             \
        for (contribution_t next; contribution_next(&said, &next);) {                   \
            if (pc_equals(next.kind, "note")) added = point##_add_note(next.name, "true"); \
            else if (pc_equals(next.kind, "job")) added = point##_add_job(next.name, "{}"); \
            OWN(point)                                                                  \
            else return pc_fail("that cannot be contributed here");                     \
        }                                                                               \
        return added;                                                                   \
    }
