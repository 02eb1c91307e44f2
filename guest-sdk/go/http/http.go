// Package http sends requests to the servers that the operator grants, such as http = ["POST https://policy.example.com/v1"].
//
//	response, err := http.Post("https://policy.example.com/v1", "application/json", body)
//
// A call waits for its requests within the operator's wall-ms. Redirects are not followed: a response of 3xx is a
// response, and the server that it names must be granted too.
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
	// How long to wait for a connection, for the response and for more of it; the operator's limits if left out.
	Timeout time.Duration
}

// Header is a header. Of a response the name is in small letters.
type Header struct {
	Name, Value string
}

// Response is a response, read to its end.
type Response struct {
	Status int
	Header []Header
	Body   []byte
}

// Get is the first header of this name, whatever its case; empty if there is none.
func (r *Response) Get(name string) string {
	for _, header := range r.Header {
		if strings.EqualFold(header.Name, name) {
			return header.Value
		}
	}
	return ""
}

// Kind is why there is no response. It is an error, so that errors.Is(err, http.Refused) finds out.
type Kind string

func (k Kind) Error() string { return string(k) }

// The kinds of errors.
const (
	// The host refused the request: the hook is not granted it, or too many are under way.
	Refused Kind = "refused"
	// The server, or the way to it, took too long.
	TimedOut Kind = "timed out"
	// It is no request: its URL, its method or its headers are not valid.
	Invalid Kind = "invalid"
	// Anything else.
	Failed Kind = "failed"
)

// Error is why there is no response. It does not name the path of the URL, which may be secret.
type Error struct {
	Kind    Kind
	Message string
}

func (e *Error) Error() string { return e.Message }

// Unwrap is the kind, for errors.Is.
func (e *Error) Unwrap() error { return e.Kind }

// Timeout is whether it took too long, which the library of Go asks errors for.
func (e *Error) Timeout() bool { return e.Kind == TimedOut }

// Get asks for what is at a URL.
func Get(url string) (*Response, error) {
	return Send(Request{URL: url})
}

// Post sends something to a URL.
func Post(url, contentType string, body []byte) (*Response, error) {
	return Send(Request{Method: "POST", URL: url, Header: []Header{{"content-type", contentType}}, Body: body})
}

// Send sends a request and waits for the whole response. The error is an *Error if there is none; a response of any
// status is no error.
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

// refused is the error of what the host or the server said.
func refused(request Request, to *url.URL, kind Kind, why string) error {
	server := to.Scheme + "://" + to.Host
	return &Error{kind, fmt.Sprintf("the request %s %s failed: %s", request.Method, server, why)}
}
