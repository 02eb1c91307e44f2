package http

import "net/url"

// The error codes of wasi:http, in its order.
const (
	dnsTimeout              = 0
	dnsError                = 1
	destinationNotFound     = 2
	destinationIPProhibited = 4
	connectionRefused       = 6
	connectionTerminated    = 7
	connectionTimeout       = 8
	connectionReadTimeout   = 9
	connectionWriteTimeout  = 10
	connectionLimitReached  = 11
	tlsProtocolError        = 12
	tlsAlertReceived        = 14
	requestDenied           = 15
	requestHeadersSize      = 21
	responseHeadersSize     = 26
	responseTimeout         = 33
	internalError           = 38
)

func explained(request Request, to *url.URL, code uint8) error {
	kind, why := Failed, "an error of wasi:http"
	line := request.Method + " " + to.Scheme + "://" + to.Host
	switch code {
	case requestDenied:
		kind, why = Refused, "the hook is not granted it; grant it in hooks.toml, under [hooks.ID.grants]: http = [\""+line+"\"]"
	case destinationIPProhibited:
		kind, why = Refused, "its name leads to no address that the hook is granted; for an address that is not public, "+
			"grant it in hooks.toml, under [hooks.ID.grants]: http = [\""+line+" at ADDRESS\"]"
	case connectionLimitReached:
		kind, why = Refused, "as many requests are under way as the limit `http-concurrent` allows"
	case requestHeadersSize:
		kind, why = Refused, "its headers are longer than the limit `http-header-bytes`"
	case dnsTimeout, connectionTimeout:
		kind, why = TimedOut, "it took longer than the limit `http-connect-ms`, or its own timeout"
	case connectionReadTimeout, connectionWriteTimeout:
		kind, why = TimedOut, "it took longer than the limit `http-first-byte-ms` or `http-between-bytes-ms`, or its own timeout"
	case responseTimeout:
		kind, why = TimedOut, "it took longer than the limit `http-total-ms`"
	case dnsError, destinationNotFound:
		why = "there is no server of this name"
	case connectionRefused:
		why = "the server refuses connections"
	case connectionTerminated:
		why = "the connection ended"
	case responseHeadersSize:
		why = "the response's headers are longer than the limit `http-header-bytes`"
	default:
		if code >= tlsProtocolError && code <= tlsAlertReceived {
			why = "the server is not trusted, or does not speak TLS"
		}
	}
	return refused(request, to, kind, why)
}
