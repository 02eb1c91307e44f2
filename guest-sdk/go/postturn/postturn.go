// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package postturn serves the point `post-turn`.
//
// A turn is done, and its output has not been returned yet.
package postturn

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("post-turn")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// TextBytes: The size of the output's text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Steps: The number of steps.
func (Call) Steps() uint32 {
	return factSteps()
}

// Stop: The stop reason of the last step.
func (Call) Stop() contract.StopReason {
	return factStop()
}

// Usage: The tokens that its model calls used.
func (Call) Usage() contract.Usage {
	return factUsage()
}

// ElapsedUs: The duration, in microseconds.
func (Call) ElapsedUs() uint64 {
	return factElapsedUs()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.TurnOutput {
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

// Transform: Continues with this output.
func (Call) Transform(content []contract.ContentPart) error {
	serve.Answered()
	answerTransform(content)
	return nil
}

// Reject: Withholds the output: the turn fails with the reason.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Withholds the output: the turn fails with the reason.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with this output. Later hooks still see it and may refuse it, but cannot change it.
func (Call) Replace(content []contract.ContentPart) error {
	serve.Answered()
	answerReplace(content)
	return nil
}

// AddNote: Adds an audit note. `data` is the text of a JSON value.
func (Call) AddNote(code string, data string) {
	serve.Answered()
	answerAddNote(code, data)
}

// AddJob: Queues a background job for the handler `name`. `input` is the text of a JSON value.
func (Call) AddJob(name string, input string) {
	serve.Answered()
	answerAddJob(name, input)
}
