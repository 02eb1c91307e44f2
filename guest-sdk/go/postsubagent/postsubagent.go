// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package postsubagent serves the point `post-subagent`.
//
// A sub-agent is done. Its result is in the view `content`.
package postsubagent

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("post-subagent")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// CallID: The id of the tool call that started the sub-agent.
func (Call) CallID() string {
	return factCallID()
}

// Agent: The name of the sub-agent.
func (Call) Agent() string {
	return factAgent()
}

// SessionID: The sub-agent's session; none if it was not started.
func (Call) SessionID() (string, bool) {
	return factSessionID()
}

// IsError: Whether the sub-agent failed.
func (Call) IsError() bool {
	return factIsError()
}

// OutputBytes: The size of the result, in bytes.
func (Call) OutputBytes() uint32 {
	return factOutputBytes()
}

// Steps: The number of steps.
func (Call) Steps() uint32 {
	return factSteps()
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
func (Call) Facts() contract.SubagentResult {
	return factFacts()
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

// Transform: Continues with this result.
func (Call) Transform(text string) error {
	serve.Answered()
	answerTransform(text)
	return nil
}
