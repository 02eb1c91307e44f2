package main

import (
	"portcullis/contract"
	"portcullis/conversation"
	"portcullis/llmerror"
	"portcullis/posttoolcall"
	"portcullis/precompaction"
)

// Conversions of a text to the value of a point's answer.

func parts(answer func([]contract.ContentPart) error) func(string) error {
	return func(said string) error {
		return answer([]contract.ContentPart{contract.ContentPartText(said)})
	}
}

func insert(said string) []contract.MessageEdit {
	message := contract.Message{
		Role:    contract.RoleUser,
		Content: []contract.ContentPart{contract.ContentPartText(said)},
	}
	return []contract.MessageEdit{contract.MessageEditInsert{Index: conversation.Len(), Message: message}}
}

func edits(answer func([]contract.MessageEdit) error) func(string) error {
	return func(said string) error { return answer(insert(said)) }
}

func messages(answer func(contract.LLMCallEdit) error) func(string) error {
	return func(said string) error { return answer(contract.LLMCallEdit{Messages: insert(said)}) }
}

func response(answer func(contract.LLMResponse) error) func(string) error {
	return func(said string) error {
		return answer(contract.LLMResponse{
			Content: []contract.ContentPart{contract.ContentPartText(said)},
			Stop:    contract.StopReasonEndTurn{},
		})
	}
}

func system(answer func(contract.PromptEdit) error) func(string) error {
	return func(said string) error { return answer(contract.PromptEdit{System: &said}) }
}

func result(answer func(string, bool) error) func(string) error {
	return func(said string) error { return answer(said, false) }
}

func output(call posttoolcall.Call, answer func(string, bool) error) func(string) error {
	return func(said string) error { return answer(said, call.IsError()) }
}

// hint keeps the named messages: all, or one that does not exist.
func hint(call precompaction.Call) func(string) error {
	return func(said string) error {
		keep := []uint32{call.Messages()}
		if said == "all" {
			keep = nil
			for index := range call.Messages() {
				keep = append(keep, index)
			}
		}
		return call.TransformWith(keep, said)
	}
}

func decision(call llmerror.Call) func(string) error {
	return func(said string) error {
		switch said {
		case "give-up":
			return call.GiveUp()
		case "retry":
			return call.Retry(1)
		}
		providers := call.Providers()
		return call.SwitchProvider(providers[len(providers)-1])
	}
}

// contribute makes the contributions that the point's call can.
func contribute(call any, gifts []gift) {
	for _, gift := range gifts {
		switch gift.kind {
		case "policy":
			call.(interface{ AddPolicy(domain, rules string) }).AddPolicy(gift.name, gift.text)
		case "context":
			call.(interface{ AddContext(kind, text string) }).AddContext(gift.name, gift.text)
		case "section":
			call.(interface{ AddSection(contract.PromptSection) }).AddSection(contract.PromptSection{ID: gift.name, Text: gift.text})
		case "tool":
			call.(interface{ AddTools(contract.ToolBundle) }).AddTools(bundle(gift.name))
		case "note":
			call.(interface{ AddNote(code, data string) }).AddNote(gift.name, "true")
		case "job":
			call.(interface{ AddJob(name, input string) }).AddJob(gift.name, "{}")
		}
	}
}

func bundle(name string) contract.ToolBundle {
	spec := contract.ToolSpec{Name: name, Description: "A tool of the probe's.", Schema: `{"type":"object"}`}
	tool := contract.BundledTool{Spec: spec, Route: contract.ToolRouteHook{}}
	return contract.ToolBundle{Name: "probe-tools", Tools: []contract.BundledTool{tool}}
}
