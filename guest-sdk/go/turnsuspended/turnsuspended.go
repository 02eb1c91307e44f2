// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package turnsuspended serves the point `turn-suspended`.
//
// A turn is suspended: its checkpoint is saved, and the loop is about to end.
package turnsuspended

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("turn-suspended")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Reason: The reason for the suspension.
func (Call) Reason() contract.SuspendReason {
	return factReason()
}

// Checkpoint: The checkpoint that it can be resumed from.
func (Call) Checkpoint() string {
	return factCheckpoint()
}

// Pending: The ids of the tool calls that wait.
func (Call) Pending() []string {
	return factPending()
}

// Partial: Whether other calls of the same step are done already.
func (Call) Partial() bool {
	return factPartial()
}

// Steps: The number of steps so far.
func (Call) Steps() uint32 {
	return factSteps()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Suspension {
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
