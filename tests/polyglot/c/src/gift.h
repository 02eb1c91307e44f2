/* What the probe contributes: `KIND …`, and more of them behind `; `.
 *
 *     policy DOMAIN JSON · context KIND TEXT · section ID TEXT · tool NAME · note CODE · job NAME
 */
#pragma once

#include <stdlib.h>

#include "portcullis.h"

typedef struct {
    pc_string_t kind, name, text; /* views of what was said */
} gift_t;

/* Takes the first gift off what was said. Says whether there was one. */
bool gift_next(const char **said, gift_t *gift);

pc_domain_policy_t gift_policy(const gift_t *gift);
pc_context_item_t gift_context(const gift_t *gift);
pc_prompt_section_t gift_section(const gift_t *gift);
pc_tool_bundle_t gift_tools(const gift_t *gift);
pc_audit_note_t gift_note(const gift_t *gift);
pc_background_job_t gift_job(const gift_t *gift);

/* The most that are contributed in one call. */
#define MOST_GIFTS 8

/* Defines `<point>_gifts`, which makes a result of all that was said. */
#define GIFTS(point, POINT, OWN)                                                              \
    static point##_result point##_gifts(const char *said) {                                   \
        point##_contribute_t all = {.ptr = calloc(MOST_GIFTS, sizeof *all.ptr)};               \
        if (!all.ptr) abort();                                                                \
        for (gift_t gift; all.len < MOST_GIFTS && gift_next(&said, &gift); all.len++) {       \
            if (false) {}                                                                     \
            OWN(POINT)                                                                        \
            GIFT(POINT, NOTE, note, "note")                                                   \
            GIFT(POINT, JOB, job, "job")                                                      \
            else return point##_fail("that cannot be contributed here");                      \
        }                                                                                     \
        return point##_contribute(all);                                                       \
    }
#define GIFT(POINT, KIND, kind_, name)                                   \
    else if (pc_equals(gift.kind, name)) {                               \
        all.ptr[all.len].tag = EXPORTS_##POINT##_CONTRIBUTION_##KIND;    \
        all.ptr[all.len].val.kind_ = gift_##kind_(&gift);                \
    }
