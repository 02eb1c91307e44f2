// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package http

// failures has the error of a request without a response for each error code of wasi:http: its kind, and its words,
// in which {} is the request.
var failures = [...]struct {
	kind  Kind
	words string
}{
	{TimedOut, "it took longer than the limit `http-connect-ms`, or its own timeout"},
	{Failed, "there is no server of this name"},
	{Failed, "there is no server of this name"},
	{Failed, "the server is not available"},
	{Refused, "its name leads to no address that the hook is granted; for an address that is not public, grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{} at ADDRESS\"]"},
	{Failed, "there is no route to the server's address"},
	{Failed, "the server refuses connections"},
	{Failed, "the connection ended"},
	{TimedOut, "it took longer than the limit `http-connect-ms`, or its own timeout"},
	{TimedOut, "it took longer than the limit `http-first-byte-ms` or `http-between-bytes-ms`, or its own timeout"},
	{TimedOut, "it took longer than the limit `http-between-bytes-ms`, or its own timeout"},
	{Refused, "as many requests are under way as the limit `http-concurrent` allows"},
	{Failed, "the server does not speak TLS as the host does"},
	{Failed, "the server's certificate is not trusted"},
	{Failed, "the server ended TLS with an alert"},
	{Refused, "the hook is not granted it; grant it in hooks.toml, under [hooks.ID.grants]: http = [\"{}\"]"},
	{Failed, "the server requires the length of the body"},
	{Invalid, "its body is not as long as it says"},
	{Invalid, "its method is not valid"},
	{Invalid, "its URL is not valid"},
	{Invalid, "its URL is too long"},
	{Refused, "its headers are longer than the limit `http-header-bytes`"},
	{Failed, "one of its headers is too long"},
	{Failed, "its trailers are too long"},
	{Failed, "one of its trailers is too long"},
	{Failed, "the response ended early"},
	{Failed, "the response's headers are longer than the limit `http-header-bytes`"},
	{Failed, "one of the response's headers is too long"},
	{Failed, "the response's body is too long"},
	{Failed, "the response's trailers are too long"},
	{Failed, "one of the response's trailers is too long"},
	{Failed, "the response has a transfer coding that is not known"},
	{Failed, "the response has a content coding that is not known"},
	{TimedOut, "it took longer than the limit `http-total-ms`"},
	{Failed, "the connection was not upgraded"},
	{Failed, "the server does not speak HTTP"},
	{Failed, "the request was sent in a loop"},
	{Failed, "the host cannot send requests as it is configured"},
	{Failed, "the host failed"},
}

// hasText reports whether a code may come with a text from the host.
func hasText(code uint8) bool {
	switch code {
	case 31, 32, 38:
		return true
	}
	return false
}
