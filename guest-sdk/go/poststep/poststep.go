// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package poststep serves the point `post-step`.
//
// A step is done, its tools included. The model's response is in the view `content`.
package poststep

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("post-step")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// StopReason: The model's stop reason.
func (Call) StopReason() contract.StopReason {
	return factStop()
}

// ToolCalls: The number of tool calls that the model asked for.
func (Call) ToolCalls() uint32 {
	return factToolCalls()
}

// StepUsage: The tokens that the step used.
func (Call) StepUsage() contract.Usage {
	return factStepUsage()
}

// Usage: The tokens that the turn's model calls used so far.
func (Call) Usage() contract.Usage {
	return factUsage()
}

// ElapsedUs: The duration of the turn so far, in microseconds.
func (Call) ElapsedUs() uint64 {
	return factElapsedUs()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.StepReport {
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

// Stop: Ends the turn early, without an error.
func (Call) Stop(kind contract.StopKind, message string) error {
	serve.Answered()
	answerStop(kind, message)
	return nil
}
