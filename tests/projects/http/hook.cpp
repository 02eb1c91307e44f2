#include <cstdlib>
#include <string>

#include "portcullis.hpp"

using namespace portcullis;

PORTCULLIS_HOOK(.id = "my-hook", .description = "Sends requests.");

/* Removes the text before the first space, and returns it. */
static std::string_view word(std::string_view &text) {
    size_t at = text.find(' ');
    std::string_view word = text.substr(0, at);
    text = at == text.npos ? "" : text.substr(at + 1);
    return word;
}

static std::string_view named(pc_http_error kind) {
    switch (kind) {
    case PC_HTTP_INVALID: return "invalid";
    case PC_HTTP_REFUSED: return "refused";
    case PC_HTTP_TIMED_OUT: return "timed out";
    default: return "failed";
    }
}

/* Sends the received body, and compares it with the response. */
static Answer large(std::string_view url) {
    auto sent = http::request({.url = url});
    if (!sent) return fail(sent.error().why);
    std::string_view body = sent->body;
    auto received = http::request({.method = "POST", .url = url, .body = body});
    if (!received) return fail(received.error().why);
    return pre_turn::reject("said", std::to_string(body.size()).append(received->body == body ? " true" : " false"));
}

Answer on_pre_turn() {
    std::string_view rest = content(), action = word(rest);
    if (action == "large") return large(rest);
    http::Request request{.url = word(rest), .headers = {{"X-Asked", "asked"}}};
    if (action == "post") {
        request.method = "POST";
        request.body = "zwölf";
    }
    if (action == "within") request.timeout_ms = static_cast<uint32_t>(atoi(std::string(rest).c_str()));
    auto response = http::request(request);
    std::string said;
    if (response) said = std::to_string(response->status).append(" ").append(response->header("x-answer").value_or("-")).append(" ").append(response->body);
    else said.append(named(response.error().kind)).append(": ").append(response.error().why);
    return pre_turn::reject("said", said);
}
