// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package workspacesnapshotted serves the point `workspace-snapshotted`.
//
// A snapshot of a workspace was saved.
package workspacesnapshotted

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("workspace-snapshotted")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Workspace: The workspace.
func (Call) Workspace() contract.Workspace {
	return factWorkspace()
}

// Path: The path of the copy.
func (Call) Path() string {
	return factPath()
}

// Bytes: The size in bytes.
func (Call) Bytes() uint64 {
	return factBytes()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Snapshot {
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
