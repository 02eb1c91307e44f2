// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package posttoolcall serves the point `post-tool-call`.
//
// A tool has run. Arguments and output are in the view `tool-data`.
package posttoolcall

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("post-tool-call")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// CallID: The id of the call.
func (Call) CallID() string {
	return factCallID()
}

// Name: The name of the tool.
func (Call) Name() string {
	return factName()
}

// OutputBytes: The size of the output, in bytes.
func (Call) OutputBytes() uint32 {
	return factOutputBytes()
}

// IsError: Whether the tool failed.
func (Call) IsError() bool {
	return factIsError()
}

// ElapsedUs: The duration of the run, in microseconds.
func (Call) ElapsedUs() uint64 {
	return factElapsedUs()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.ToolOutcome {
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
func (Call) Transform(content string, isError bool) error {
	serve.Answered()
	answerTransform(content, isError)
	return nil
}

// Reject: Withholds the output: the model is given the reason.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Withholds the output: the model is given the reason.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with this output. Later hooks still see it and may refuse it, but cannot change it.
func (Call) Replace(content string, isError bool) error {
	serve.Answered()
	answerReplace(content, isError)
	return nil
}
