#include "gift.h"

#include <string.h>

/* What is before `end`, which is skipped with it; all of it if that is not there. */
static pc_string_t until(const char **said, const char *end) {
    const char *from = *said, *at = strstr(from, end);
    size_t len = at ? (size_t)(at - from) : strlen(from);
    *said = at ? at + strlen(end) : from + len;
    return (pc_string_t){.ptr = (uint8_t *)from, .len = len};
}

static pc_string_t word(pc_string_t *rest) {
    uint8_t *at = memchr(rest->ptr, ' ', rest->len);
    size_t len = at ? (size_t)(at - rest->ptr) : rest->len;
    pc_string_t word = {.ptr = rest->ptr, .len = len};
    size_t skipped = at ? len + 1 : len;
    *rest = (pc_string_t){.ptr = rest->ptr + skipped, .len = rest->len - skipped};
    return word;
}

bool gift_next(const char **said, gift_t *gift) {
    if (!**said) return false;
    pc_string_t rest = until(said, "; ");
    gift->kind = word(&rest);
    gift->name = word(&rest);
    gift->text = rest;
    return true;
}

static pc_string_t copy(pc_string_t text) { return pc_copy_n(text.ptr, text.len); }

pc_domain_policy_t gift_policy(const gift_t *gift) {
    return (pc_domain_policy_t){.domain = copy(gift->name), .rules = copy(gift->text)};
}

pc_context_item_t gift_context(const gift_t *gift) {
    return (pc_context_item_t){.kind = copy(gift->name), .text = copy(gift->text)};
}

pc_prompt_section_t gift_section(const gift_t *gift) {
    return (pc_prompt_section_t){.id = copy(gift->name), .text = copy(gift->text)};
}

pc_tool_bundle_t gift_tools(const gift_t *gift) {
    pc_bundled_tool_t tool = {
        .spec = {
            .name = copy(gift->name),
            .description = pc_copy("A tool of the probe's."),
            .schema = pc_copy("{\"type\":\"object\"}"),
        },
        .route = {.tag = PC_TOOL_ROUTE_HOOK},
    };
    return (pc_tool_bundle_t){.name = pc_copy("probe-tools"), .tools = PC_LIST(pc_list_bundled_tool_t, tool)};
}

pc_audit_note_t gift_note(const gift_t *gift) {
    return (pc_audit_note_t){.code = copy(gift->name), .data = pc_copy("true")};
}

pc_background_job_t gift_job(const gift_t *gift) {
    return (pc_background_job_t){.name = copy(gift->name), .input = pc_copy("{}")};
}
