// Package nethttp lets net/http send requests, for libraries that take an *http.Client:
//
//	client := &http.Client{Transport: nethttp.Transport{}}
//
// Requests go through the package portcullis/http, to the servers that the operator grants. A client follows redirects,
// each of which must be granted; http.Client.CheckRedirect can prevent that. A hook that uses net/http has a
// component of some 10 MB, instead of 5, and imports wasi:filesystem, since net/http opens files; without a grant there
// are none.
package nethttp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	hook "portcullis/http"
)

// Transport is an http.RoundTripper over the requests of hooks. A body is sent and read as a whole. The deadline of a
// request's context is its timeout. Errors are those of portcullis/http, so errors.Is(err, http.Refused) says whether the
// host refused the request.
type Transport struct{}

var _ http.RoundTripper = Transport{}

// RoundTrip sends a request and waits for the whole response.
func (Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := all(request.Body)
	if err != nil {
		return nil, err
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	outgoing := hook.Request{Method: request.Method, URL: request.URL.String(), Body: body}
	if deadline, ok := request.Context().Deadline(); ok {
		// A timeout that is not positive would mean no timeout.
		outgoing.Timeout = max(time.Until(deadline), time.Millisecond)
	}
	for name, values := range request.Header {
		// The SDK sets the length.
		if strings.EqualFold(name, "content-length") {
			continue
		}
		for _, value := range values {
			outgoing.Header = append(outgoing.Header, hook.Header{Name: name, Value: value})
		}
	}
	received, err := hook.Send(outgoing)
	if err != nil {
		return nil, err
	}
	response := &http.Response{
		Status:        fmt.Sprintf("%d %s", received.Status, http.StatusText(received.Status)),
		StatusCode:    received.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{},
		Body:          io.NopCloser(bytes.NewReader(received.Body)),
		ContentLength: int64(len(received.Body)),
		Request:       request,
	}
	for _, header := range received.Header {
		response.Header.Add(header.Name, header.Value)
	}
	return response, nil
}

// all reads a body to its end and closes it, as a RoundTripper must.
func all(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	defer body.Close()
	return io.ReadAll(body)
}
