// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package statechanged serves the point `state-changed`.
//
// A tool or a hook changed the agent's state. The change is in the view `agent-state`.
package statechanged

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("state-changed")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Tool: The tool that made the change. Empty if a hook made it; the view `agent-state` says which.
func (Call) Tool() string {
	return factTool()
}

// CallID: The id of the tool's call. Empty if a hook made the change.
func (Call) CallID() string {
	return factCallID()
}

// Keys: The keys that changed, in order.
func (Call) Keys() []string {
	return factKeys()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.StateChange {
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
