// Package http sends requests to the servers that the operator grants, such as http = ["POST https://policy.example.com/v1"].
//
//	response, err := http.Post("https://policy.example.com/v1", "application/json", body)
//
// A call waits for its requests within the operator's wall-ms. Redirects are not followed: a 3xx response is
// returned, and the server that it names must be granted too.
package http

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Request is a request.
type Request struct {
	// GET if left out.
	Method string
	URL    string
	Header []Header
	Body   []byte
	// The limit of the time to connect, to the first byte and between bytes; the operator's limits if left out.
	Timeout time.Duration
}

// Header is a header. Responses have its name in lower case.
type Header struct {
	Name, Value string
}

// Response is a response, read to its end.
type Response struct {
	Status int
	Header []Header
	Body   []byte
}

// Get returns the first header of this name, in any case; empty if there is none.
func (r *Response) Get(name string) string {
	for _, header := range r.Header {
		if strings.EqualFold(header.Name, name) {
			return header.Value
		}
	}
	return ""
}

// Kind is the reason why there is no response. It is an error, for errors.Is(err, http.Refused).
type Kind string

func (k Kind) Error() string { return string(k) }

// The kinds of errors.
const (
	// The host refused the request: the operator did not grant it, or too many are in flight.
	Refused Kind = "refused"
	// The server, or the connection to it, took too long.
	TimedOut Kind = "timed out"
	// The request is not valid: its URL, its method or its headers are wrong.
	Invalid Kind = "invalid"
	// Anything else.
	Failed Kind = "failed"
)

// Error is the reason why there is no response. It does not name the path of the URL, which may be secret.
type Error struct {
	Kind    Kind
	Message string
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the kind, for errors.Is.
func (e *Error) Unwrap() error { return e.Kind }

// Timeout reports whether the request took too long, in the way that Go's library asks errors for it.
func (e *Error) Timeout() bool { return e.Kind == TimedOut }

// Get sends a GET request to a URL.
func Get(url string) (*Response, error) {
	return Send(Request{URL: url})
}

// Post sends a POST request to a URL.
func Post(url, contentType string, body []byte) (*Response, error) {
	return Send(Request{Method: "POST", URL: url, Header: []Header{{"content-type", contentType}}, Body: body})
}

// Send sends a request and waits for the whole response. If there is none, the error is an *Error; a response is no
// error, whatever its status.
func Send(request Request) (*Response, error) {
	if request.Method == "" {
		request.Method = "GET"
	}
	to, err := url.Parse(request.URL)
	if err != nil || to.Host == "" || (to.Scheme != "https" && to.Scheme != "http") {
		return nil, &Error{Invalid, "what the request is for is no URL that begins with https:// or http:// and a server"}
	}
	return send(request, to)
}

// refused returns the error of a request that the host or the server refused.
func refused(request Request, to *url.URL, kind Kind, why string) error {
	server := to.Scheme + "://" + to.Host
	return &Error{kind, fmt.Sprintf("the request %s %s failed: %s", request.Method, server, why)}
}
