// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package prompttools serves the point `prompt-tools`.
//
// The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`.
package prompttools

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("prompt-tools")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Tools: The number of tools.
func (Call) Tools() uint32 {
	return factTools()
}

// Bundles: The number of bundles contributed so far.
func (Call) Bundles() uint32 {
	return factBundles()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.ToolSet {
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

// AddTools: Offers the model these tools.
func (Call) AddTools(bundle contract.ToolBundle) {
	serve.Answered()
	answerAddTools(bundle)
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
