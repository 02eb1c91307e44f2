package hooktest_test

import (
	"errors"
	"slices"
	"testing"

	"portcullis/call"
	"portcullis/content"
	"portcullis/contract"
	"portcullis/conversation"
	"portcullis/events"
	"portcullis/hooktest"
	"portcullis/http"
	"portcullis/llmerror"
	"portcullis/log"
	"portcullis/model"
	"portcullis/posttoolcall"
	"portcullis/pretoolcall"
	"portcullis/secrets"
	"portcullis/sharedstate"
	"portcullis/state"
)

func TestFactsAndAnswersAreThoseOfTheTest(t *testing.T) {
	host := hooktest.New(t)
	host.Facts["name"] = "shell"
	host.Facts["status"] = 503
	if name := (pretoolcall.Call{}).Name(); name != "shell" {
		t.Error(name)
	}
	if status, there := (llmerror.Call{}).Status(); status != 503 || !there {
		t.Error(status, there)
	}
	if _, there := (llmerror.Call{}).RetryAfterMs(); there {
		t.Error("a fact that is not given is there")
	}
	if call.Agent() != "main" || call.Turn() != 1 {
		t.Error(call.Context())
	}
	(pretoolcall.Call{}).RejectWith("code", "reason", "{}")
	(posttoolcall.Call{}).Transform("text", true)
	host.Expect(`reject("code", "reason", "{}")`, `transform("text", true)`)
	host.Expect()
}

func TestViewsAndStateAreThoseOfTheTest(t *testing.T) {
	host := hooktest.New(t)
	host.Content = hooktest.Text("hello")
	host.Conversation = []contract.Message{{Role: contract.RoleUser}, {Role: contract.RoleAssistant}}
	host.Secrets["key"] = "value"
	host.SharedState["mine"] = map[string][]byte{}
	if content.Text() != "hello" || conversation.Len() != 2 || len(conversation.Slice(1, 9)) != 1 {
		t.Error(content.Text(), conversation.Len())
	}
	if secret, there := secrets.Get("key"); secret != "value" || !there {
		t.Error(secret)
	}
	for expected := range 3 {
		if sum, err := state.Increment("calls", 1); err != nil || sum != int64(expected+1) {
			t.Error(sum, err)
		}
	}
	state.Set("most", []byte("9223372036854775807"))
	_, tooLarge := state.Increment("most", 1)
	if _, refused := errors.AsType[contract.StateErrorNotANumber](tooLarge); !refused {
		t.Error(tooLarge)
	}
	if swapped, err := sharedstate.Swap("mine", "lock", nil, []byte("me")); !swapped || err != nil {
		t.Error(swapped, err)
	}
	_, _, err := sharedstate.Get("other", "lock")
	if _, denied := errors.AsType[contract.StateErrorDenied](err); !denied {
		t.Error(err)
	}
	if _, err := model.Complete("judge", "this", nil); err == nil {
		t.Error("there is a model")
	}
	log.Warn("odd", "word", "two words")
	events.Emit("seen", "1")
	if !slices.Equal(host.Logs, []string{`warn: odd word="two words"`}) || !slices.Equal(host.Events, []string{"seen: 1"}) {
		t.Error(host.Logs, host.Events)
	}
}

func TestServersAnswerAsTheTestSays(t *testing.T) {
	host := hooktest.New(t)
	host.HTTP = func(request http.Request) (*http.Response, error) {
		if request.URL != "https://example.com/a" {
			return nil, &http.Error{Kind: http.Refused, Message: "no"}
		}
		return &http.Response{Status: 200, Header: []http.Header{{Name: "x-answer", Value: "yes"}}}, nil
	}
	if response, err := http.Get("https://example.com/a"); err != nil || response.Get("X-Answer") != "yes" {
		t.Error(response, err)
	}
	_, err := http.Get("https://example.com/b")
	if refused, is := errors.AsType[*http.Error](err); !is || refused.Kind != http.Refused {
		t.Error(err)
	}
	_, err = http.Get("example.com")
	if invalid, is := errors.AsType[*http.Error](err); !is || invalid.Kind != http.Invalid {
		t.Error(err)
	}
}
