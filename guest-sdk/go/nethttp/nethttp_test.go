package nethttp_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"portcullis/hooktest"
	hook "portcullis/http"
	"portcullis/nethttp"
)

func TestAClientOfNetHTTPSendsRequests(t *testing.T) {
	host := hooktest.New(t)
	host.HTTP = func(request hook.Request) (*hook.Response, error) {
		switch request.URL {
		case "https://example.com/moved":
			return &hook.Response{Status: 302, Header: []hook.Header{{Name: "location", Value: "/there"}}}, nil
		case "https://example.com/there":
			return &hook.Response{Status: 200, Body: []byte(request.Method + " " + string(request.Body))}, nil
		}
		return nil, &hook.Error{Kind: hook.Refused, Message: "no"}
	}
	client := &http.Client{Transport: nethttp.Transport{}}
	for url, says := range map[string]string{
		"https://example.com/there": "POST zwölf",
		"https://example.com/moved": "GET ",
	} {
		response, err := client.Post(url, "text/plain", strings.NewReader("zwölf"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || string(body) != says || response.Status != "200 OK" {
			t.Errorf("%s: %s %q, %v", url, response.Status, body, err)
		}
	}
	_, err := client.Get("https://example.org/")
	if !errors.Is(err, hook.Refused) || errors.Is(err, hook.TimedOut) {
		t.Error(err)
	}
}
