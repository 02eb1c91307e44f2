// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package turnresumed serves the point `turn-resumed`.
//
// A suspended turn is resumed: its checkpoint is loaded, and nothing else has happened yet.
package turnresumed

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("turn-resumed")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Checkpoint: The checkpoint that it was resumed from.
func (Call) Checkpoint() string {
	return factCheckpoint()
}

// Resolved: The ids of the tool calls that waited.
func (Call) Resolved() []string {
	return factResolved()
}

// WaitedMs: The duration of the wait, in milliseconds.
func (Call) WaitedMs() uint64 {
	return factWaitedMs()
}

// Steps: The number of steps before the suspension.
func (Call) Steps() uint32 {
	return factSteps()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Resumption {
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
