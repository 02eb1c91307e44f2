/* Requests over `wasi:http`. */

/* For `memmem`. */
#define _GNU_SOURCE

#include <string.h>
#include <strings.h>

#include "core.h"

#include "http_failures.h"

/* The most bytes that are written at once, as many as the host takes, and the most that are read at once. */
#define WRITTEN 4096
#define READ 65536

/* The bindings have no functions that drop the host's resources. A part is dropped before its whole. */
#define DROP(module, resource, name)                                                                           \
    __attribute__((__import_module__(module), __import_name__("[resource-drop]" resource))) extern void drop_##name(int32_t)
DROP("wasi:http/types@0.2.0", "fields", fields);
DROP("wasi:http/types@0.2.0", "outgoing-request", request);
DROP("wasi:http/types@0.2.0", "outgoing-body", outgoing_body);
DROP("wasi:http/types@0.2.0", "incoming-response", response);
DROP("wasi:http/types@0.2.0", "incoming-body", incoming_body);
DROP("wasi:http/types@0.2.0", "future-incoming-response", future);
DROP("wasi:io/streams@0.2.0", "input-stream", input);
DROP("wasi:io/streams@0.2.0", "output-stream", output);
DROP("wasi:io/poll@0.2.0", "pollable", pollable);
DROP("wasi:io/error@0.2.0", "error", error);

#define BORROW(type, own) ((pc_##type##_t){(own).__handle})

typedef pc_http_types_error_code_t code;

/* ---- Failures. ---- */

static bool failed(pc_http_response_t *response, pc_http_error error, pc_string_t why) {
    *response = (pc_http_response_t){.error = error, .why = why};
    return false;
}

static bool invalid(pc_http_response_t *response, const char *why) {
    return failed(response, PC_HTTP_INVALID, pc_text(why));
}

/* Returns the URL without the parts that may be secret: the user, the path and the query. */
static pc_string_t server(pc_string_t url) {
    uint8_t *end = url.ptr + url.len, *from = memmem(url.ptr, url.len, "://", 3);
    from = from ? from + 3 : end;
    uint8_t *to = from;
    while (to < end && !strchr("/?#", *to)) to++;
    uint8_t *name = to;
    while (name > from && name[-1] != '@') name--;
    return pc_format("%.*s%.*s", (int)(from - url.ptr), (char *)url.ptr, (int)(to - name), (char *)name);
}

/* Reports the host's error code for a request. */
static bool refused(pc_http_response_t *response, const pc_http_request_t *request, const code *code) {
    pc_string_t to = server(request->url);
    const char *method = request->method ? request->method : "GET", *words = failures[code->tag].words;
    const char *gap = strstr(words, "{}"), *rest = gap ? gap + 2 : "";
    pc_string_t named = gap ? pc_format("%s %.*s", method, PC_SHOW(to)) : pc_text("");
    const hook_option_string_t *more = said(code);
    pc_string_t text = more && more->is_some ? pc_format(": %.*s", PC_SHOW(more->val)) : pc_text("");
    return failed(response, failures[code->tag].error,
                  pc_format("the request %s %.*s failed: %.*s%.*s%s%.*s", method, PC_SHOW(to),
                            (int)(gap ? (size_t)(gap - words) : strlen(words)), words, PC_SHOW(named), rest, PC_SHOW(text)));
}

/* ---- The request. ---- */

/* Splits a URL into its parts. Returns whether it is one of HTTP. */
static bool parse(pc_string_t url, bool *is_https, pc_string_t *authority, pc_string_t *path) {
    static const char https[] = "https://", http[] = "http://";
    *is_https = url.len >= sizeof https - 1 && memcmp(url.ptr, https, sizeof https - 1) == 0;
    if (!*is_https && (url.len < sizeof http - 1 || memcmp(url.ptr, http, sizeof http - 1))) return false;
    uint8_t *at = url.ptr + (*is_https ? sizeof https : sizeof http) - 1, *end = url.ptr + url.len;
    /* A fragment is for the client, and is not sent. */
    uint8_t *fragment = memchr(at, '#', (size_t)(end - at));
    if (fragment) end = fragment;
    uint8_t *from = at;
    while (at < end && *at != '/' && *at != '?') at++;
    *authority = (pc_string_t){.ptr = from, .len = (size_t)(at - from)};
    *path = (pc_string_t){.ptr = at, .len = (size_t)(end - at)};
    if (!path->len || *at == '?') *path = pc_format("/%.*s", PC_SHOW(*path));
    return authority->len > 0;
}

static pc_http_types_method_t method_of(const char *name) {
    static const char *const names[] = {"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                        "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    if (!name) return (pc_http_types_method_t){.tag = PC_HTTP_TYPES_METHOD_GET};
    for (uint8_t tag = 0; tag < sizeof names / sizeof *names; tag++)
        if (strcmp(name, names[tag]) == 0) return (pc_http_types_method_t){.tag = tag};
    return (pc_http_types_method_t){.tag = PC_HTTP_TYPES_METHOD_OTHER, .val.other = pc_text(name)};
}

static bool fields_of(const pc_http_request_t *request, pc_http_types_own_fields_t *fields, pc_http_response_t *response) {
    static const char LENGTH[] = "content-length";
    size_t all = 0;
    hook_tuple2_string_list_u8_t *entries = pc_alloc((request->headers.len + 1) * sizeof *entries);
    for (size_t i = 0; i < request->headers.len; i++) {
        const pc_http_header_t *header = &request->headers.ptr[i];
        bool is_length = header->name.len == sizeof LENGTH - 1 &&
                         !strncasecmp((const char *)header->name.ptr, LENGTH, sizeof LENGTH - 1);
        if (!is_length || !request->body.len)
            entries[all++] = (hook_tuple2_string_list_u8_t){header->name, {header->value.ptr, header->value.len}};
    }
    if (request->body.len) {
        pc_string_t length = pc_format("%zu", request->body.len);
        entries[all++] = (hook_tuple2_string_list_u8_t){pc_text(LENGTH), {length.ptr, length.len}};
    }
    hook_list_tuple2_string_list_u8_t list = {.ptr = entries, .len = all};
    pc_http_types_header_error_t error;
    if (pc_http_types_static_fields_from_list(&list, fields, &error)) return true;
    return invalid(response, error.tag == PC_HTTP_TYPES_HEADER_ERROR_FORBIDDEN
                                 ? "a request may not set one of these headers"
                                 : "a name or a value of these headers is not valid");
}

static bool head(const pc_http_request_t *request, pc_http_types_own_outgoing_request_t *outgoing,
                 pc_http_response_t *response) {
    bool is_https;
    pc_string_t authority, path;
    if (!parse(request->url, &is_https, &authority, &path))
        /* The message leaves out the URL, which may be secret. */
        return invalid(response, "what is requested is no URL that begins with https:// or http:// and a server");
    pc_http_types_own_fields_t fields;
    if (!fields_of(request, &fields, response)) return false;
    *outgoing = pc_http_types_constructor_outgoing_request(fields);
    pc_http_types_borrow_outgoing_request_t made = {outgoing->__handle};
    pc_http_types_method_t method = method_of(request->method);
    pc_http_types_scheme_t scheme = {.tag = is_https ? PC_HTTP_TYPES_SCHEME_HTTPS : PC_HTTP_TYPES_SCHEME_HTTP};
    if (pc_http_types_method_outgoing_request_set_method(made, &method) &&
        pc_http_types_method_outgoing_request_set_scheme(made, &scheme) &&
        pc_http_types_method_outgoing_request_set_authority(made, &authority) &&
        pc_http_types_method_outgoing_request_set_path_with_query(made, &path))
        return true;
    drop_request(outgoing->__handle);
    return invalid(response, "the method or the URL of the request is not valid");
}

/* Writes a body. If the request ends meanwhile, its response or its error says why. */
static void write_body(pc_http_types_own_outgoing_body_t body, pc_string_t bytes) {
    pc_http_types_own_output_stream_t stream;
    bool written = pc_http_types_method_outgoing_body_write(BORROW(http_types_borrow_outgoing_body, body), &stream);
    if (written) {
        pc_io_streams_borrow_output_stream_t out = {stream.__handle};
        for (size_t at = 0; written && at < bytes.len; at += WRITTEN) {
            size_t left = bytes.len - at;
            hook_list_u8_t piece = {.ptr = bytes.ptr + at, .len = left < WRITTEN ? left : WRITTEN};
            pc_io_streams_stream_error_t error;
            written = pc_io_streams_method_output_stream_blocking_write_and_flush(out, &piece, &error);
            if (!written && error.tag == PC_IO_STREAMS_STREAM_ERROR_LAST_OPERATION_FAILED)
                drop_error(error.val.last_operation_failed.__handle);
        }
        drop_output(stream.__handle);
    }
    code error;
    if (written) pc_http_types_static_outgoing_body_finish(body, NULL, &error);
    else drop_outgoing_body(body.__handle);
}

/* ---- The response. ---- */

typedef struct piece {
    struct piece *next;
    hook_list_u8_t bytes;
} piece;

/* Reads a body to its end. */
static bool read_body(pc_io_streams_borrow_input_stream_t stream, pc_string_t *body, code *code) {
    piece *first = NULL, **last = &first;
    size_t len = 0;
    for (;;) {
        hook_list_u8_t bytes;
        pc_io_streams_stream_error_t error;
        if (!pc_io_streams_method_input_stream_blocking_read(stream, READ, &bytes, &error)) {
            if (error.tag == PC_IO_STREAMS_STREAM_ERROR_CLOSED) break;
            int32_t handle = error.val.last_operation_failed.__handle;
            bool known = pc_http_types_http_error_code((pc_http_types_borrow_io_error_t){handle}, code);
            if (!known) *code = (pc_http_types_error_code_t){.tag = PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR};
            drop_error(handle);
            return false;
        }
        *last = pc_alloc(sizeof **last);
        **last = (piece){.bytes = bytes};
        last = &(*last)->next;
        len += bytes.len;
    }
    body->ptr = pc_alloc(len);
    body->len = 0;
    for (piece *at = first; at; at = at->next) {
        memcpy(body->ptr + body->len, at->bytes.ptr, at->bytes.len);
        body->len += at->bytes.len;
    }
    return true;
}

static void read_headers(pc_http_types_borrow_incoming_response_t from, pc_http_response_t *response) {
    pc_http_types_own_fields_t fields = pc_http_types_method_incoming_response_headers(from);
    hook_list_tuple2_string_list_u8_t entries;
    pc_http_types_method_fields_entries(BORROW(http_types_borrow_fields, fields), &entries);
    drop_fields(fields.__handle);
    response->headers.ptr = pc_alloc(entries.len * sizeof *response->headers.ptr);
    response->headers.len = entries.len;
    for (size_t i = 0; i < entries.len; i++)
        response->headers.ptr[i] = (pc_http_header_t){
            entries.ptr[i].f0, {.ptr = entries.ptr[i].f1.ptr, .len = entries.ptr[i].f1.len}};
}

static bool read_response(pc_http_types_own_incoming_response_t from, pc_http_response_t *response, code *code) {
    pc_http_types_borrow_incoming_response_t it = {from.__handle};
    *response = (pc_http_response_t){.status = pc_http_types_method_incoming_response_status(it)};
    read_headers(it, response);
    pc_http_types_own_incoming_body_t body;
    bool is_read = false;
    *code = (pc_http_types_error_code_t){.tag = PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR};
    if (pc_http_types_method_incoming_response_consume(it, &body)) {
        pc_http_types_own_input_stream_t stream;
        if (pc_http_types_method_incoming_body_stream(BORROW(http_types_borrow_incoming_body, body), &stream)) {
            is_read = read_body((pc_io_streams_borrow_input_stream_t){stream.__handle}, &response->body, code);
            drop_input(stream.__handle);
        }
        drop_incoming_body(body.__handle);
    }
    drop_response(from.__handle);
    return is_read;
}

/* Waits for the response, and reads it. */
static bool wait(pc_http_types_own_future_incoming_response_t future, pc_http_response_t *response, code *code) {
    pc_http_types_borrow_future_incoming_response_t it = {future.__handle};
    pc_http_types_own_pollable_t pollable = pc_http_types_method_future_incoming_response_subscribe(it);
    pc_io_poll_method_pollable_block(BORROW(io_poll_borrow_pollable, pollable));
    drop_pollable(pollable.__handle);
    pc_http_types_result_result_own_incoming_response_error_code_void_t got;
    bool is_read = false;
    if (!pc_http_types_method_future_incoming_response_get(it, &got) || got.is_err)
        *code = (pc_http_types_error_code_t){.tag = PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR};
    else if (got.val.ok.is_err) *code = got.val.ok.val.err;
    else is_read = read_response(got.val.ok.val.ok, response, code);
    drop_future(future.__handle);
    return is_read;
}

bool pc_http_request(const pc_http_request_t *request, pc_http_response_t *response) {
    pc_http_types_own_outgoing_request_t outgoing;
    if (!head(request, &outgoing, response)) return false;
    pc_http_types_own_request_options_t options, *given = NULL;
    if (request->timeout_ms) {
        uint64_t nanoseconds = request->timeout_ms * UINT64_C(1000000);
        options = pc_http_types_constructor_request_options();
        pc_http_types_borrow_request_options_t it = {options.__handle};
        pc_http_types_method_request_options_set_connect_timeout(it, &nanoseconds);
        pc_http_types_method_request_options_set_first_byte_timeout(it, &nanoseconds);
        pc_http_types_method_request_options_set_between_bytes_timeout(it, &nanoseconds);
        given = &options;
    }
    pc_http_types_own_outgoing_body_t body;
    bool has_body = request->body.len &&
                    pc_http_types_method_outgoing_request_body(BORROW(http_types_borrow_outgoing_request, outgoing), &body);
    pc_http_types_own_future_incoming_response_t future;
    code error;
    if (!pc_http_outgoing_handler_handle(outgoing, given, &future, &error)) {
        if (has_body) drop_outgoing_body(body.__handle);
        return refused(response, request, &error);
    }
    if (has_body) write_body(body, request->body);
    return wait(future, response, &error) || refused(response, request, &error);
}

#undef pc_http_header
bool pc_http_header(const pc_http_response_t *response, pc_string_t name, pc_string_t *value) {
    for (size_t i = 0; i < response->headers.len; i++) {
        const pc_http_header_t *header = &response->headers.ptr[i];
        if (header->name.len != name.len || strncasecmp((char *)header->name.ptr, (char *)name.ptr, name.len)) continue;
        *value = header->value;
        return true;
    }
    return false;
}
