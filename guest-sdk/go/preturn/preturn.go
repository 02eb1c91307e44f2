// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package preturn serves the point `pre-turn`.
//
// A turn begins: the user has said something, and nothing has been done with it yet.
package preturn

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-turn")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// TextBytes: The size of the user's text, in bytes.
func (Call) TextBytes() uint32 {
	return factTextBytes()
}

// Parts: The number of parts.
func (Call) Parts() uint32 {
	return factParts()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.TurnInput {
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

// Transform: Continues with this content in place of the user's message.
func (Call) Transform(content []contract.ContentPart) error {
	serve.Answered()
	answerTransform(content)
	return nil
}

// Reject: Refuses the turn.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the turn.
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

// Answer: Ends the turn with this answer. The model is not called.
func (Call) Answer(content []contract.ContentPart) error {
	serve.Answered()
	answerAnswer(content)
	return nil
}
