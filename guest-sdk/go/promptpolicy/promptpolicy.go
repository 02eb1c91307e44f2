// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package promptpolicy serves the point `prompt-policy`.
//
// A turn's prompt is about to be assembled: hooks contribute policies. The user's message is in the view `content`.
package promptpolicy

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("prompt-policy")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// TextBytes: The size of the user's text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Messages: The number of messages.
func (Call) Messages() uint32 {
	return factMessages()
}

// Tools: The number of tools that the model is offered.
func (Call) Tools() uint32 {
	return factTools()
}

// Policies: The number of policies contributed so far.
func (Call) Policies() uint32 {
	return factPolicies()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.TurnFacts {
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

// AddPolicy: Adds the policy of one domain. `rules` is the text of a JSON object.
func (Call) AddPolicy(domain string, rules string) {
	serve.Answered()
	answerAddPolicy(domain, rules)
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
