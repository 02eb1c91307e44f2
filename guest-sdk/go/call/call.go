// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package call is an import of the contract: The session, the turn and the step of the current call.
package call

import (
	"portcullis/contract"
)

// SessionID: The session's id, unique within the host.
func SessionID() string {
	return sessionID()
}

// Agent: The name of the agent whose loop is running.
func Agent() string {
	return agent()
}

// Turn: The turn, counted from 1; 0 outside of any turn.
func Turn() uint32 {
	return turn()
}

// Step: The step within the turn, counted from 1; 0 outside of any step.
func Step() uint32 {
	return step()
}

// Context: All of these in one record.
func Context() contract.Context {
	return context()
}
