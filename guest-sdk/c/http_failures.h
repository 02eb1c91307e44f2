// Written from wit/ by `cargo xtask contract`; do not change it here.

/* The errors of requests without a response: the kind, and the words, in which `{}` is the request. */
static const struct {
    pc_http_error error;
    const char *words;
} failures[] = {
    [PC_HTTP_TYPES_ERROR_CODE_DNS_TIMEOUT] = {PC_HTTP_TIMED_OUT, "it took longer than the limit `http-connect-ms`, or its own timeout"},
    [PC_HTTP_TYPES_ERROR_CODE_DNS_ERROR] = {PC_HTTP_FAILED, "there is no server of this name"},
    [PC_HTTP_TYPES_ERROR_CODE_DESTINATION_NOT_FOUND] = {PC_HTTP_FAILED, "there is no server of this name"},
    [PC_HTTP_TYPES_ERROR_CODE_DESTINATION_UNAVAILABLE] = {PC_HTTP_FAILED, "the server is not available"},
    [PC_HTTP_TYPES_ERROR_CODE_DESTINATION_IP_PROHIBITED] = {PC_HTTP_REFUSED, "its name leads to no address that the hook is granted; for an address that is not public, grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{} at ADDRESS\"]"},
    [PC_HTTP_TYPES_ERROR_CODE_DESTINATION_IP_UNROUTABLE] = {PC_HTTP_FAILED, "there is no route to the server's address"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_REFUSED] = {PC_HTTP_FAILED, "the server refuses connections"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_TERMINATED] = {PC_HTTP_FAILED, "the connection ended"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_TIMEOUT] = {PC_HTTP_TIMED_OUT, "it took longer than the limit `http-connect-ms`, or its own timeout"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_READ_TIMEOUT] = {PC_HTTP_TIMED_OUT, "it took longer than the limit `http-first-byte-ms` or `http-between-bytes-ms`, or its own timeout"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_WRITE_TIMEOUT] = {PC_HTTP_TIMED_OUT, "it took longer than the limit `http-between-bytes-ms`, or its own timeout"},
    [PC_HTTP_TYPES_ERROR_CODE_CONNECTION_LIMIT_REACHED] = {PC_HTTP_REFUSED, "as many requests are under way as the limit `http-concurrent` allows"},
    [PC_HTTP_TYPES_ERROR_CODE_TLS_PROTOCOL_ERROR] = {PC_HTTP_FAILED, "the server does not speak TLS as the host does"},
    [PC_HTTP_TYPES_ERROR_CODE_TLS_CERTIFICATE_ERROR] = {PC_HTTP_FAILED, "the server's certificate is not trusted"},
    [PC_HTTP_TYPES_ERROR_CODE_TLS_ALERT_RECEIVED] = {PC_HTTP_FAILED, "the server ended TLS with an alert"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_DENIED] = {PC_HTTP_REFUSED, "the hook is not granted it; grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{}\"]"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_LENGTH_REQUIRED] = {PC_HTTP_FAILED, "the server requires the length of the body"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_BODY_SIZE] = {PC_HTTP_INVALID, "its body is not as long as it says"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_METHOD_INVALID] = {PC_HTTP_INVALID, "its method is not valid"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_URI_INVALID] = {PC_HTTP_INVALID, "its URL is not valid"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_URI_TOO_LONG] = {PC_HTTP_INVALID, "its URL is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_HEADER_SECTION_SIZE] = {PC_HTTP_REFUSED, "its headers are longer than the limit `http-header-bytes`"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_HEADER_SIZE] = {PC_HTTP_FAILED, "one of its headers is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_TRAILER_SECTION_SIZE] = {PC_HTTP_FAILED, "its trailers are too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_TRAILER_SIZE] = {PC_HTTP_FAILED, "one of its trailers is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_INCOMPLETE] = {PC_HTTP_FAILED, "the response ended early"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_HEADER_SECTION_SIZE] = {PC_HTTP_FAILED, "the response's headers are longer than the limit `http-header-bytes`"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_HEADER_SIZE] = {PC_HTTP_FAILED, "one of the response's headers is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_BODY_SIZE] = {PC_HTTP_FAILED, "the response's body is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRAILER_SECTION_SIZE] = {PC_HTTP_FAILED, "the response's trailers are too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRAILER_SIZE] = {PC_HTTP_FAILED, "one of the response's trailers is too long"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRANSFER_CODING] = {PC_HTTP_FAILED, "the response has a transfer coding that is not known"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_CONTENT_CODING] = {PC_HTTP_FAILED, "the response has a content coding that is not known"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TIMEOUT] = {PC_HTTP_TIMED_OUT, "it took longer than the limit `http-total-ms`"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_UPGRADE_FAILED] = {PC_HTTP_FAILED, "the connection was not upgraded"},
    [PC_HTTP_TYPES_ERROR_CODE_HTTP_PROTOCOL_ERROR] = {PC_HTTP_FAILED, "the server does not speak HTTP"},
    [PC_HTTP_TYPES_ERROR_CODE_LOOP_DETECTED] = {PC_HTTP_FAILED, "the request was sent in a loop"},
    [PC_HTTP_TYPES_ERROR_CODE_CONFIGURATION_ERROR] = {PC_HTTP_FAILED, "the host cannot send requests as it is configured"},
    [PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR] = {PC_HTTP_FAILED, "the host failed"},
};

/* Returns the host's text in addition to these words, if any. */
static const hook_option_string_t *said(const pc_http_types_error_code_t *code) {
    switch (code->tag) {
    case PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRANSFER_CODING: return &code->val.http_response_transfer_coding;
    case PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_CONTENT_CODING: return &code->val.http_response_content_coding;
    case PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR: return &code->val.internal_error;
    default: return NULL;
    }
}
