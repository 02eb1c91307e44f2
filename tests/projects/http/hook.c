#include <stdlib.h>
#include <string.h>

#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Sends requests.");

/* Removes the text before the first space, and returns it. */
static pc_string_t word(pc_string_t *text) {
    uint8_t *space = memchr(text->ptr, ' ', text->len);
    pc_string_t word = {.ptr = text->ptr, .len = space ? (size_t)(space - text->ptr) : text->len};
    size_t taken = word.len + (space != NULL);
    *text = (pc_string_t){.ptr = text->ptr + taken, .len = text->len - taken};
    return word;
}

static const char *const errors[] = {
    [PC_HTTP_INVALID] = "invalid",
    [PC_HTTP_REFUSED] = "refused",
    [PC_HTTP_TIMED_OUT] = "timed out",
    [PC_HTTP_FAILED] = "failed",
};

/* Sends back the received body, and reports whether the server returns it unchanged. */
static bool large(pc_string_t url) {
    pc_http_request_t get = {.url = url}, post = {.method = "POST", .url = url};
    pc_http_response_t sent, received;
    if (!pc_http_request(&get, &sent)) return pc_fail(sent.why);
    post.body = sent.body;
    if (!pc_http_request(&post, &received)) return pc_fail(received.why);
    bool same = sent.body.len == received.body.len && memcmp(sent.body.ptr, received.body.ptr, sent.body.len) == 0;
    return pre_turn_reject("said", pc_format("%d %s", (int)sent.body.len, same ? "true" : "false"));
}

bool on_pre_turn(void) {
    pc_string_t rest = pc_content(), action = word(&rest), url = word(&rest);
    if (pc_equals(action, "large")) return large(url);
    pc_http_request_t request = {
        .url = url,
        .headers = {PC_ITEMS(pc_http_header_t, {PC_TEXT("X-Asked"), PC_TEXT("asked")})},
    };
    if (pc_equals(action, "post")) {
        request.method = "POST";
        request.body = PC_TEXT("zwölf");
    }
    if (pc_equals(action, "within")) request.timeout_ms = (uint32_t)atoi((const char *)pc_format("%.*s", PC_SHOW(rest)).ptr);
    pc_http_response_t response;
    if (!pc_http_request(&request, &response))
        return pre_turn_reject("said", pc_format("%s: %.*s", errors[response.error], PC_SHOW(response.why)));
    pc_string_t answer = PC_TEXT("-");
    pc_http_header(&response, "x-answer", &answer);
    return pre_turn_reject(
        "said", pc_format("%d %.*s %.*s", response.status, PC_SHOW(answer), PC_SHOW(response.body)));
}
