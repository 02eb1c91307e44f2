package main

import (
	"testing"

	"portcullis/hooktest"
	"portcullis/preturn"
)

func TestWords(t *testing.T) {
	for text, answers := range map[string][]string{
		"please frobnicate": {`reject("blocked-word", "The message was blocked.", null)`},
		"please help":       nil,
	} {
		host := hooktest.New(t)
		host.Config = settings{Blocked: []string{"frobnicate"}}
		host.Content = hooktest.Text(text)
		if err := preTurn(preturn.Call{}); err != nil {
			t.Error(err)
		}
		host.Expect(answers...)
	}
}
