//go:build !wasip1

package http

import (
	"net/url"

	"portcullis/internal/fake"
)

func send(request Request, _ *url.URL) (response *Response, err error) {
	fake.Call(fake.Args("http.send", request), &response, &err)
	return
}
