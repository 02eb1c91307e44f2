// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package presubagent serves the point `pre-subagent`.
//
// A sub-agent is about to be started. Its task is in the view `content`.
package presubagent

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-subagent")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// CallID: The id of the tool call that starts the sub-agent.
func (Call) CallID() string {
	return factCallID()
}

// Agent: The name of the sub-agent.
func (Call) Agent() string {
	return factAgent()
}

// TaskBytes: The size of the task, in bytes.
func (Call) TaskBytes() uint32 {
	return factTaskBytes()
}

// Depth: The depth of nesting: 1 for a sub-agent of the first agent.
func (Call) Depth() uint32 {
	return factDepth()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.SubagentSpec {
	return factFacts()
}

// SessionID: The session's id, unique within the host.
func (Call) SessionID() string {
	return call.SessionID()
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

// Transform: Continues with this task.
func (Call) Transform(task string) error {
	serve.Answered()
	answerTransform(task)
	return nil
}

// Reject: Refuses: the sub-agent is not started and the model is given the reason.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses: the sub-agent is not started and the model is given the reason.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with this task. Later hooks still see it and may refuse it, but cannot change it.
func (Call) Replace(task string) error {
	serve.Answered()
	answerReplace(task)
	return nil
}

// Answer: Gives the model this result. The sub-agent is not started.
func (Call) Answer(content string, isError bool) error {
	serve.Answered()
	answerAnswer(content, isError)
	return nil
}
