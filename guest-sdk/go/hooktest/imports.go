package hooktest

import (
	"encoding/json"
	"fmt"
	"strings"

	"portcullis/contract"
	"portcullis/http"
	"portcullis/internal/fake"
)

// call answers an import, with the results that its function has in Go.
func (h *Host) call(asked fake.Import) []any {
	place, function, _ := strings.Cut(asked.Name, ".")
	if strings.HasSuffix(place, "-facts") {
		return h.fact(function)
	}
	if strings.HasSuffix(place, "-answer") {
		h.Answers = append(h.Answers, written(function, asked.Args))
		return nil
	}
	switch place {
	case "call":
		return h.context(function)
	case "store":
		return h.configured()
	case "logging":
		h.Logs = append(h.Logs, fmt.Sprintf("%v: %s", asked.Args[0], asked.Args[2]))
		return nil
	case "events":
		h.Events = append(h.Events, fmt.Sprintf("%s: %s", asked.Args...))
		return nil
	case "secrets":
		return found(h.Secrets, asked.Args[0].(string))
	case "http":
		return h.send(asked.Args[0].(http.Request))
	case "model":
		return h.complete(function, asked.Args)
	case "state":
		return h.own(function, asked.Args)
	case "shared-state":
		return h.shared(function, asked.Args)
	}
	return h.view(asked)
}

func (h *Host) fact(name string) []any {
	value, given := h.Facts[name]
	if !given {
		return nil
	}
	return []any{value, true}
}

func (h *Host) context(function string) []any {
	switch function {
	case "session-id":
		return []any{h.Context.SessionID}
	case "agent":
		return []any{h.Context.Agent}
	case "turn":
		return []any{h.Context.Turn}
	case "step":
		return []any{h.Context.Step}
	}
	return []any{h.Context}
}

func (h *Host) configured() []any {
	if h.Config == nil {
		return nil
	}
	table, err := json.Marshal(h.Config)
	if err != nil {
		h.t.Fatal(err)
	}
	return []any{string(table), true}
}

func (h *Host) send(request http.Request) []any {
	if h.HTTP == nil {
		h.t.Fatal("the hook sends a request, and the test's Host has no HTTP")
	}
	response, err := h.HTTP(request)
	return []any{response, err}
}

func (h *Host) complete(function string, args []any) []any {
	if function == "tokens-left" {
		return []any{uint64(1_000_000)}
	}
	if h.Model == nil {
		return []any{nil, contract.ModelErrorNoModel("the test's Host has no Model")}
	}
	text, err := h.Model(args[0].(string), args[1].(string))
	return []any{contract.Completion{Text: text, Stop: contract.StopReasonEndTurn{}}, err}
}

// found returns the value at a key, if there is one.
func found[T any](values map[string]T, key string) []any {
	value, there := values[key]
	if !there {
		return nil
	}
	return []any{value, true}
}

// written returns an answer with its arguments in JSON.
func written(name string, args []any) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			text = fmt.Append(nil, arg)
		}
		texts[i] = string(text)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}
