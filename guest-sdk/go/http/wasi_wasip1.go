package http

// A handle is the number of a resource in the host.
type handle = uint32

//go:wasmimport wasi:http/types@0.2.0 [static]fields.from-list
func newFields(list, length, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [method]fields.entries
func entries(fields handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]fields
func dropFields(handle)

//go:wasmimport wasi:http/types@0.2.0 [constructor]outgoing-request
func newRequest(fields handle) handle

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-request.set-method
func setMethod(request handle, method, text, length uint32) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-request.set-scheme
func setScheme(request handle, some, scheme, text, length uint32) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-request.set-authority
func setAuthority(request handle, some, text, length uint32) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-request.set-path-with-query
func setPath(request handle, some, text, length uint32) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-request.body
func requestBody(request handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]outgoing-request
func dropRequest(handle)

//go:wasmimport wasi:http/types@0.2.0 [constructor]request-options
func newOptions() handle

//go:wasmimport wasi:http/types@0.2.0 [method]request-options.set-connect-timeout
func setConnectTimeout(options handle, some uint32, nanoseconds uint64) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]request-options.set-first-byte-timeout
func setFirstByteTimeout(options handle, some uint32, nanoseconds uint64) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]request-options.set-between-bytes-timeout
func setBetweenBytesTimeout(options handle, some uint32, nanoseconds uint64) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]outgoing-body.write
func write(body handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [static]outgoing-body.finish
func finish(body handle, some uint32, trailers handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]outgoing-body
func dropOutgoingBody(handle)

//go:wasmimport wasi:io/streams@0.2.0 [method]output-stream.blocking-write-and-flush
func writeAndFlush(stream handle, bytes, length, result uint32)

//go:wasmimport wasi:io/streams@0.2.0 [resource-drop]output-stream
func dropOutput(handle)

//go:wasmimport wasi:http/outgoing-handler@0.2.0 handle
func handleRequest(request handle, some uint32, options handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [method]future-incoming-response.subscribe
func subscribe(future handle) handle

//go:wasmimport wasi:io/poll@0.2.0 [method]pollable.block
func block(pollable handle)

//go:wasmimport wasi:io/poll@0.2.0 [resource-drop]pollable
func dropPollable(handle)

//go:wasmimport wasi:http/types@0.2.0 [method]future-incoming-response.get
func getResponse(future handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]future-incoming-response
func dropFuture(handle)

//go:wasmimport wasi:http/types@0.2.0 [method]incoming-response.status
func status(response handle) uint32

//go:wasmimport wasi:http/types@0.2.0 [method]incoming-response.headers
func headers(response handle) handle

//go:wasmimport wasi:http/types@0.2.0 [method]incoming-response.consume
func consume(response handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]incoming-response
func dropResponse(handle)

//go:wasmimport wasi:http/types@0.2.0 [method]incoming-body.stream
func bodyStream(body handle, result uint32)

//go:wasmimport wasi:http/types@0.2.0 [resource-drop]incoming-body
func dropIncomingBody(handle)

//go:wasmimport wasi:io/streams@0.2.0 [method]input-stream.blocking-read
func read(stream handle, length uint64, result uint32)

//go:wasmimport wasi:io/streams@0.2.0 [resource-drop]input-stream
func dropInput(handle)

//go:wasmimport wasi:http/types@0.2.0 http-error-code
func errorCode(err handle, result uint32)

//go:wasmimport wasi:io/error@0.2.0 [resource-drop]error
func dropError(handle)
