package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"portcullis"
	"portcullis/content"
	"portcullis/http"
	"portcullis/preturn"
)

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Sends requests."})
	preturn.Handle(preTurn)
}

// large sends the received body, and compares it with the response.
func large(call preturn.Call, url string) error {
	sent, err := http.Get(url)
	if err != nil {
		return err
	}
	received, err := http.Post(url, "text/plain", sent.Body)
	if err != nil {
		return err
	}
	return call.Reject("said", fmt.Sprint(len(sent.Body), bytes.Equal(sent.Body, received.Body)))
}

func preTurn(call preturn.Call) error {
	action, rest, _ := strings.Cut(content.Text(), " ")
	url, rest, _ := strings.Cut(rest, " ")
	if action == "large" {
		return large(call, url)
	}
	request := http.Request{URL: url, Header: []http.Header{{Name: "X-Asked", Value: "asked"}}}
	switch action {
	case "post":
		request.Method = "POST"
		request.Body = []byte("zwölf")
	case "within":
		milliseconds, err := strconv.Atoi(rest)
		if err != nil {
			return err
		}
		request.Timeout = time.Duration(milliseconds) * time.Millisecond
	}
	response, err := http.Send(request)
	if failed, ok := errors.AsType[*http.Error](err); ok {
		return call.Reject("said", fmt.Sprintf("%s: %s", failed.Kind, failed.Message))
	}
	answer := response.Get("x-answer")
	if answer == "" {
		answer = "-"
	}
	return call.Reject("said", fmt.Sprintf("%d %s %s", response.Status, answer, response.Body))
}

func main() {}
