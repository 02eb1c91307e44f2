// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package promptcontext serves the point `prompt-context`.
//
// Hooks contribute context to the turn. The user's message is in the view `content`, the policies in `prompt`.
package promptcontext

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("prompt-context")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// TextBytes: The size of the user's text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Policies: The number of policies in force.
func (Call) Policies() uint32 {
	return factPolicies()
}

// Items: The number of items contributed so far.
func (Call) Items() uint32 {
	return factItems()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.ContextSet {
	return factFacts()
}

// SessionID: The session's id, unique within the host.
func (Call) SessionID() string {
	return call.SessionID()
}

// Agent: The name of the agent whose loop is running.
func (Call) Agent() string {
	return call.Agent()
}

// Turn: The turn, counted from 1; 0 outside of any turn.
func (Call) Turn() uint32 {
	return call.Turn()
}

// Step: The step within the turn, counted from 1; 0 outside of any step.
func (Call) Step() uint32 {
	return call.Step()
}

// Context: All of these in one record.
func (Call) Context() contract.Context {
	return call.Context()
}

// AddContext: Adds an item of context for the hooks that write the prompt.
func (Call) AddContext(kind string, text string) {
	serve.Answered()
	answerAddContext(kind, text, nil)
}

// AddContextWith: Adds an item of context for the hooks that write the prompt.
func (Call) AddContextWith(kind string, text string, data string) {
	serve.Answered()
	answerAddContext(kind, text, &data)
}

// AddNote: Adds an audit note. `data` is the text of a JSON value.
func (Call) AddNote(code string, data string) {
	serve.Answered()
	answerAddNote(code, data)
}

// AddJob: Queues a background job for the handler `name`. `input` is the text of a JSON value.
func (Call) AddJob(name string, input string) {
	serve.Answered()
	answerAddJob(name, input)
}
