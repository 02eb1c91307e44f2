// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package workspaceclosed serves the point `workspace-closed`.
//
// A workspace was closed; its directory stays.
package workspaceclosed

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("workspace-closed")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Name: The name of the workspace.
func (Call) Name() string {
	return factName()
}

// Path: The path of the directory.
func (Call) Path() string {
	return factPath()
}

// Reason: The reason for the event, in words.
func (Call) Reason() string {
	return factReason()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Workspace {
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
