// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package precompaction serves the point `pre-compaction`.
//
// The conversation is over its budget and about to be compacted. It is in the view `conversation`.
package precompaction

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-compaction")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Limit: The most tokens the conversation may have.
func (Call) Limit() uint64 {
	return factLimit()
}

// Used: The estimated number of tokens in the conversation.
func (Call) Used() uint64 {
	return factUsed()
}

// Messages: The number of messages in the conversation.
func (Call) Messages() uint32 {
	return factMessages()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.TokenBudget {
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

// Transform: Continues with this hint in place of earlier ones. `keep` has the indexes of messages to keep, in addition to those the agent keeps anyway; `instructions` tells the model what the summary must contain.
func (Call) Transform(keep []uint32) error {
	serve.Answered()
	answerTransform(keep, nil)
	return nil
}

// TransformWith: Continues with this hint in place of earlier ones. `keep` has the indexes of messages to keep, in addition to those the agent keeps anyway; `instructions` tells the model what the summary must contain.
func (Call) TransformWith(keep []uint32, instructions string) error {
	serve.Answered()
	answerTransform(keep, &instructions)
	return nil
}

// Reject: Refuses the compaction: the conversation stays as it is.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the compaction: the conversation stays as it is.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}
