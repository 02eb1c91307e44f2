// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package llmdelta serves the point `llm-delta`.
//
// A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`.
package llmdelta

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("llm-delta")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Kind: The kind of the piece.
func (Call) Kind() contract.DeltaKind {
	return factKind()
}

// Index: The index of the piece among those of its kind, counted from 0.
func (Call) Index() uint32 {
	return factIndex()
}

// Bytes: The size in bytes.
func (Call) Bytes() uint32 {
	return factBytes()
}

// Last: Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here.
func (Call) Last() bool {
	return factLast()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.Delta {
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

// Transform: Shows this text in place of the piece.
func (Call) Transform(text string) error {
	serve.Answered()
	answerTransform(text)
	return nil
}

// Reject: Suppresses the piece: it is neither shown nor part of the response.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Suppresses the piece: it is neither shown nor part of the response.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Stop: Ends the turn with the response so far.
func (Call) Stop(kind contract.StopKind, message string) error {
	serve.Answered()
	answerStop(kind, message)
	return nil
}
