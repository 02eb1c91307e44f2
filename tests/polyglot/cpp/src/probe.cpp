#include "probe.hpp"

#include <cstdlib>
#include <cstring>

namespace {

/* Returns the text before `end`, and removes both; all of the text if `end` is missing. */
std::string_view until(std::string_view &said, std::string_view end) {
    size_t at = said.find(end);
    std::string_view first = said.substr(0, at);
    said = at == said.npos ? "" : said.substr(at + end.size());
    return first;
}

[[noreturn]] void hoard() {
    for (;;) {
        void *volatile taken = malloc(1 << 20);
        if (!taken) abort();
        memset(taken, 1, 1 << 20);
    }
}

std::string remembered() {
    auto calls = state::add("calls", 1);
    return calls ? std::to_string(*calls) : "the state does not count";
}

std::string quoted(std::string_view text) {
    std::string all = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += c;
    }
    return all + "\",";
}

std::string either(std::optional<std::string_view> text) { return text ? quoted(*text) : "null,"; }

} // namespace

Gift Gift::next(std::string_view &said) {
    std::string_view gift = until(said, "; ");
    std::string_view kind = until(gift, " "), name = until(gift, " ");
    return {kind, name, gift};
}

Action action_at(std::string_view point, std::string_view current) {
    static int64_t calls;
    std::string_view rest = config::get(point).value_or("continue");
    std::string_view name = until(rest, " ");
    Action action{name, rest, std::string(rest)};
    if (name == "append") action = {"transform", rest, std::string(current) + action.text};
    if (name == "count") action = {"transform", rest, std::to_string(++calls)};
    if (name == "remember") action = {"transform", rest, remembered()};
    if (name == "look") action = {"transform", rest, view_of_all()};
    if (name == "panic") __builtin_trap();
    if (name == "remember-and-panic") {
        remembered();
        __builtin_trap();
    }
    if (name == "spin")
        for (volatile unsigned turns = 0;; turns = turns + 1) {}
    if (name == "hoard") hoard();
    return action;
}

Answer otherwise(const Action &action) {
    if (action.is("fail")) return fail(action.rest);
    return action.is("continue") ? proceed() : fail("no such action");
}

std::string view_of_all() {
    static const char *const roles[] = {"system", "user", "assistant", "tool"};
    std::string all = "[" + quoted(content()) + std::to_string(pc_conversation_len()) + ",";
    pc_conversation_message_t last;
    all += pc_conversation_last(&last) ? quoted(roles[last.role]) : "null,";
    all += quoted(tool_arguments()) + either(tool_output());
    pc_strings_t names;
    pc_tool_catalog_names(&names);
    all += "[";
    for (std::string_view name : items(names)) all += quoted(name);
    if (names.len) all.pop_back();
    all += "],";
    pc_string_t user, mood, key = text("mood");
    all += pc_session_user(&user) ? quoted(view(user)) : "null,";
    pc_prompt_list_domain_policy_t policies;
    pc_prompt_policies(&policies);
    all += std::to_string(policies.len) + ",";
    all += pc_agent_state_get(&key, &mood) ? quoted(view(mood)) : "null,";
    pc_verdict_chain_verdict_t verdict;
    return all + (pc_verdict_current(&verdict) ? "false]" : "true]");
}
