#include "portcullis.h"

PORTCULLIS_HOOK(.id = "policy-server", .description = "Asks a policy server whether a tool may run.");

/* The server is asked with the tool's name and its arguments, and allows the call with status 204. */
bool on_pre_tool_call(void) {
    pc_string_t url;
    if (!pc_config_text("url", &url)) return pc_bad_config("`url` is missing");
    pc_http_request_t request = {
        .method = "POST",
        .url = url,
        .headers = {PC_ITEMS(pc_http_header_t, {PC_TEXT("content-type"), PC_TEXT("application/json")},
                             {PC_TEXT("x-tool"), pre_tool_call_name()})},
        .body = pc_tool_arguments(),
    };
    pc_http_response_t response;
    if (!pc_http_request(&request, &response)) return pc_fail(response.why);
    switch (response.status) {
    case 204: return PC_CONTINUE;
    case 403: return pre_tool_call_reject("policy", response.body);
    default: return pc_fail(pc_format("the policy server answered with status %d", response.status));
    }
}
