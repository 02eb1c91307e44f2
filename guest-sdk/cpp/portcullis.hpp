/* Write Portcullis hooks in C++.
 *
 * A hook declares itself with PORTCULLIS_HOOK, and has one function for each point it serves:
 *
 *     #include "portcullis.hpp"
 *
 *     using namespace portcullis;
 *
 *     PORTCULLIS_HOOK(.id = "quiet", .description = "Refuses turns that shout.");
 *
 *     Answer on_pre_turn() {
 *         if (content().contains("!!!")) return pre_turn::reject("shouting", "Please ask again, calmly.");
 *         return proceed();
 *     }
 *
 * Facts and answers of a point are in the namespace of its name. They are in `points.hpp`, which `portcullis build` generates
 * for the points that the hook serves. An answer that begins with `add_` may be given any number of times. The rest of
 * the contract is in `hook.h`, generated too: the types `pc_…_t` and the functions `pc_conversation_…`, ….
 *
 * The component imports the functions that the code calls and no others, so it can do nothing else.
 *
 * Texts and lists of the host are valid until the hook's function returns; data that must last longer is copied, for instance into a
 * std::string. There are no exceptions: a failure of the library ends the call with a message.
 */
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

#include <strings.h>

#include "core.h"

namespace portcullis {

/* ---- The hook's descriptor. The operator's hooks.toml overrides it. ---- */

struct Hook {
    const char *id;                          /* lower-case letters, digits and dashes */
    const char *description;                 /* one sentence */
    const char *version = "0.1.0";
    const char *kind = "hook";
    std::optional<int32_t> priority = {};    /* low runs first; the host's default, 100, if left out */
    pc_failure failure = PC_FAIL_DEFAULT;    /* the effect of a failure of the hook */
    uint32_t deadline_ms = 0;                /* the host's default if left out */
    pc_execution execution = PC_BLOCKING;    /* the way that the agent waits for the hook */
    std::array<const char *, 17> after = {}; /* the hooks that must run before it, 16 at most */
};

constexpr pc_descriptor descriptor(const Hook &hook) {
    return {
        hook.id,          hook.description, hook.version,   hook.kind,         {hook.priority.has_value(), hook.priority.value_or(0)},
        hook.failure,     hook.deadline_ms, hook.execution, hook.after.data(),
    };
}

#define PORTCULLIS_HOOK(...)                                          \
    static constexpr ::portcullis::Hook portcullis_hook{__VA_ARGS__}; \
    constinit const pc_descriptor pc_hook = ::portcullis::descriptor(portcullis_hook)

/* ---- Results of a hook's function. ---- */

/* Whether the hook answered: the result of an answer's function, or of one of these. */
class [[nodiscard]] Answer {
public:
    static constexpr Answer given() { return Answer(true); }
    static constexpr Answer none() { return Answer(false); }
    constexpr bool is_given() const { return is_given_; }

private:
    constexpr explicit Answer(bool is_given) : is_given_(is_given) {}
    bool is_given_;
};

/* The result of an answer that may be given any number of times. */
class Contribution {
public:
    static constexpr Contribution given() { return {}; }
    constexpr operator Answer() const { return Answer::given(); }
};

/* No answer: the call continues. */
constexpr Answer proceed() { return Answer::none(); }

/* ---- Text, and lists. ---- */

/* Convert a text from the contract, and to it. Neither copies the text. */
inline std::string_view view(pc_string_t text) { return {reinterpret_cast<const char *>(text.ptr), text.len}; }
inline pc_string_t text(std::string_view text) {
    return {reinterpret_cast<uint8_t *>(const_cast<char *>(text.data())), text.size()};
}

/* The items of a list that an answer takes: in braces, or those of an array, a vector or a span. */
template <typename T> class Items {
public:
    constexpr Items(std::initializer_list<T> items) : items_(items.begin(), items.size()) {}
    template <std::ranges::contiguous_range Range>
        requires std::is_same_v<std::ranges::range_value_t<Range>, T>
    constexpr Items(const Range &items) : items_(std::ranges::data(items), std::ranges::size(items)) {}
    T *data() const { return const_cast<T *>(items_.data()); }
    size_t size() const { return items_.size(); }

private:
    std::span<const T> items_;
};

/* Converts a list from the contract: texts to views, other items as they are. */
inline std::vector<std::string_view> items(pc_strings_t list) {
    std::vector<std::string_view> texts;
    texts.reserve(list.len);
    for (pc_string_t text : std::span(list.ptr, list.len)) texts.push_back(view(text));
    return texts;
}
template <typename List> auto items(List list) { return std::span(list.ptr, list.len); }
template <typename T> struct ListOf {
    using type = std::span<T>;
};
template <> struct ListOf<pc_string_t> {
    using type = std::vector<std::string_view>;
};
template <typename T> using Listed = typename ListOf<T>::type;

/* ---- Failures. A failure is never a refusal. ---- */

/* Reports that the hook could not do its work. */
inline Answer fail(std::string_view why) { return pc_fail(text(why)) ? Answer::given() : Answer::none(); }
/* Reports that the operator's configuration is wrong. */
inline Answer bad_config(std::string_view why) { return pc_bad_config(text(why)) ? Answer::given() : Answer::none(); }

/* ---- The session, the agent, the turn and the step of the call. ---- */

inline pc_context_t context() {
    pc_context_t context;
    pc_call_context(&context);
    return context;
}
inline std::string_view session_id() {
    pc_string_t id;
    pc_call_session_id(&id);
    return view(id);
}
/* Returns the name of the agent whose loop is running. */
inline std::string_view agent() {
    pc_string_t name;
    pc_call_agent(&name);
    return view(name);
}
/* Returns the turn, counted from 1; 0 outside of any turn. */
inline uint32_t turn() { return pc_call_turn(); }
/* Returns the step within the turn, counted from 1; 0 outside of any step. */
inline uint32_t step() { return pc_call_step(); }

/* ---- The content and the tool call. ---- */

/* Returns the current text: at pre-turn the user's message, at llm-delta the piece. */
inline std::string_view content() {
    pc_string_t text;
    pc_content_text(&text);
    return view(text);
}
/* Returns the arguments of the current tool call, as the text of a JSON object. */
inline std::string_view tool_arguments() {
    pc_string_t text;
    pc_tool_data_input(&text);
    return view(text);
}
/* Returns the tool's output, if the tool has run. */
inline std::optional<std::string_view> tool_output() {
    pc_string_t text;
    if (!pc_tool_data_output(&text)) return std::nullopt;
    return view(text);
}

/* ---- Values of answers. ---- */

/* Returns a part of a message that is a text. */
inline pc_content_part_t text_part(std::string_view said) {
    pc_content_part_t part{};
    part.tag = PC_CONTENT_PART_TEXT;
    part.val.text = text(said);
    return part;
}
/* Returns a reason to end a turn that the contract does not list: a short, stable code. */
inline pc_stop_kind_t stop_other(std::string_view code) {
    pc_stop_kind_t kind{};
    kind.tag = PC_STOP_KIND_OTHER;
    kind.val.other = text(code);
    return kind;
}

/* ---- Memory of the call. ---- */

/* Frees the host's results at the end of a scope: for long loops. */
class Scope {
public:
    Scope() : mark_(pc_mark()) {}
    ~Scope() { pc_release(mark_); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

private:
    pc_mark_t mark_;
};

/* ---- The log, which the operator reads. ---- */

namespace log {
inline void debug(std::string_view message) { pc_debug(text(message)); }
inline void info(std::string_view message) { pc_info(text(message)); }
inline void warn(std::string_view message) { pc_warn(text(message)); }
} // namespace log

/* ---- The operator's configuration: [hooks.ID.config] in hooks.toml. ---- */

namespace config {
/* Returns the value of a key, if there is one: a string as it is, anything else as JSON text. */
inline std::optional<std::string_view> get(std::string_view key) {
    pc_string_t value;
    if (!pc_config_text(text(key), &value)) return std::nullopt;
    return view(value);
}
/* Returns a whole number, `fallback` if there is none; nothing if the value is not a whole number. */
inline std::optional<int64_t> number(std::string_view key, int64_t fallback) {
    int64_t value;
    if (!pc_config_number(text(key), fallback, &value)) return std::nullopt;
    return value;
}
/* Returns a list of strings, empty if there is none; nothing if the value is not such a list. */
inline std::optional<std::vector<std::string_view>> strings(std::string_view key) {
    pc_strings_t list;
    if (!pc_config_list(text(key), &list)) return std::nullopt;
    return items(list);
}
} // namespace config

/* ---- The hook's own state, for the length of the session; it must be granted. ---- */

namespace state {
/* Returns the value at a key, if there is one. */
inline std::optional<std::string_view> get(std::string_view key) {
    pc_string_t value;
    if (!pc_recall(text(key), &value)) return std::nullopt;
    return view(value);
}
/* Keeps a value once the call has succeeded. Returns whether there was room. */
inline bool set(std::string_view key, std::string_view value) { return pc_remember(text(key), text(value)); }
inline void erase(std::string_view key) { pc_forget(text(key)); }
/* Adds to the whole number at a key, at once. Returns the sum; nothing if this fails. */
inline std::optional<int64_t> add(std::string_view key, int64_t by) {
    int64_t sum;
    if (!pc_count(text(key), by, &sum)) return std::nullopt;
    return sum;
}
} // namespace state

/* ---- Requests to the servers that the operator grants: http = ["POST https://policy.example.com/v1"]. ---- */

namespace http {
struct Header {
    std::string_view name, value;
};

struct Request {
    const char *method = "GET"; /* in capitals */
    std::string_view url;
    std::vector<Header> headers = {};
    std::string_view body = {};
    uint32_t timeout_ms = 0; /* to connect, to the first byte and between bytes; the operator's limits if left out */
};

struct Error {
    pc_http_error kind;
    std::string_view why; /* in words, for `fail` */
};

struct Response {
    uint16_t status; /* such as 200 */
    std::vector<Header> headers; /* with names in lower case */
    std::string_view body;

    /* Returns the first header of this name, in lower or upper case, if there is one. */
    std::optional<std::string_view> header(std::string_view name) const {
        for (const Header &header : headers)
            if (header.name.size() == name.size() && !strncasecmp(header.name.data(), name.data(), name.size())) return header.value;
        return std::nullopt;
    }
};

/* Sends a request and waits for the whole response, of any status. Redirects are not followed. */
inline std::expected<Response, Error> request(const Request &asked) {
    std::vector<pc_http_header_t> headers;
    for (const Header &header : asked.headers) headers.push_back({text(header.name), text(header.value)});
    const pc_http_request_t sent = {
        asked.method, text(asked.url), {headers.data(), headers.size()}, text(asked.body), asked.timeout_ms,
    };
    pc_http_response_t got{};
    if (!pc_http_request(&sent, &got)) return std::unexpected(Error{got.error, view(got.why)});
    Response response{got.status, {}, view(got.body)};
    for (pc_http_header_t header : std::span(got.headers.ptr, got.headers.len))
        response.headers.push_back({view(header.name), view(header.value)});
    return response;
}
} // namespace http

} // namespace portcullis

#include "points.hpp"
