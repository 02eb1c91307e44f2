// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package prestep serves the point `pre-step`.
//
// A step begins: one model call, and the tool calls it asks for.
package prestep

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-step")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Messages: The number of messages.
func (Call) Messages() uint32 {
	return factMessages()
}

// EstimatedTokens: The estimated number of tokens in the messages.
func (Call) EstimatedTokens() uint64 {
	return factEstimatedTokens()
}

// Steps: The number of steps that the turn has taken.
func (Call) Steps() uint32 {
	return factSteps()
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
func (Call) Facts() contract.StepState {
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

// Transform: Changes the conversation. The changes are permanent.
func (Call) Transform(edits []contract.MessageEdit) error {
	serve.Answered()
	answerTransform(edits)
	return nil
}

// Reject: Refuses the step: the turn fails.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the step: the turn fails.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Stop: Ends the turn early, without an error. The model is not called.
func (Call) Stop(kind contract.StopKind, message string) error {
	serve.Answered()
	answerStop(kind, message)
	return nil
}
