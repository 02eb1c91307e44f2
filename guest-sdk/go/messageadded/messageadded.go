// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package messageadded serves the point `message-added`.
//
// A message was added to the conversation. It is in the view `content`, and the last in `conversation`.
package messageadded

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("message-added")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Index: The index of the message in the conversation.
func (Call) Index() uint32 {
	return factIndex()
}

// Role: The author of the message.
func (Call) Role() contract.Role {
	return factRole()
}

// Parts: The number of parts.
func (Call) Parts() uint32 {
	return factParts()
}

// TextBytes: The size of the text, in bytes, tool results included.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.AddedMessage {
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
