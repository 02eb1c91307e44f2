// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package turnstopping serves the point `turn-stopping`.
//
// A turn is about to end. Its output is in the view `content`.
package turnstopping

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("turn-stopping")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Ending: The cause of the turn's end.
func (Call) Ending() contract.TurnEnding {
	return factEnding()
}

// Steps: The number of steps.
func (Call) Steps() uint32 {
	return factSteps()
}

// Usage: The tokens that its model calls used.
func (Call) Usage() contract.Usage {
	return factUsage()
}

// KeptGoing: The number of times that hooks have kept the turn going.
func (Call) KeptGoing() uint32 {
	return factKeptGoing()
}

// MayKeepGoing: Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit.
func (Call) MayKeepGoing() bool {
	return factMayKeepGoing()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Stopping {
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

// KeepGoing: Continues the turn and gives the model this message. Later hooks are skipped.
func (Call) KeepGoing(message string) error {
	serve.Answered()
	answerKeepGoing(message)
	return nil
}
