// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package toolupdate serves the point `tool-update`.
//
// A running tool reports its progress. The text is in the view `content`.
package toolupdate

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("tool-update")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// CallID: The id of the call.
func (Call) CallID() string {
	return factCallID()
}

// Name: The name of the tool.
func (Call) Name() string {
	return factName()
}

// Index: The index of the update within the call, counted from 0.
func (Call) Index() uint32 {
	return factIndex()
}

// TextBytes: The size of the text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.ToolUpdateToolProgress {
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

// Reject: Suppresses the update. The tool and its result are not affected.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Suppresses the update. The tool and its result are not affected.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}
