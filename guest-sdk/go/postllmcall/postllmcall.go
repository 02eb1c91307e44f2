// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package postllmcall serves the point `post-llm-call`.
//
// A model has answered. The response is in the view `content`.
package postllmcall

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("post-llm-call")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Provider: The provider that answered.
func (Call) Provider() string {
	return factProvider()
}

// Model: The model that answered.
func (Call) Model() string {
	return factModel()
}

// Attempt: The number of the attempt, counted from 1.
func (Call) Attempt() uint32 {
	return factAttempt()
}

// Stop: The model's stop reason.
func (Call) Stop() contract.StopReason {
	return factStop()
}

// Usage: The tokens that the call used.
func (Call) Usage() contract.Usage {
	return factUsage()
}

// TextBytes: The size of the response's text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// ToolCalls: The names of the tools it asks for, in order.
func (Call) ToolCalls() []string {
	return factToolCalls()
}

// ElapsedUs: The duration of the call, in microseconds.
func (Call) ElapsedUs() uint64 {
	return factElapsedUs()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.LLMResult {
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

// Transform: Continues with this content.
func (Call) Transform(content []contract.ContentPart) error {
	serve.Answered()
	answerTransform(content)
	return nil
}

// Reject: Refuses the response: the step fails.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the response: the step fails.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with this content. Later hooks still see it and may refuse it, but cannot change it.
func (Call) Replace(content []contract.ContentPart) error {
	serve.Answered()
	answerReplace(content)
	return nil
}
