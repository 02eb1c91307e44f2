// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package pretoolcall serves the point `pre-tool-call`.
//
// A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`.
package pretoolcall

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("pre-tool-call")
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

// ArgumentsBytes: The size of the arguments, in bytes.
func (Call) ArgumentsBytes() uint32 {
	return factArgumentsBytes()
}

// Grant: The policy's grant to the tool.
func (Call) Grant() contract.ExecutionGrant {
	return factGrant()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.ToolRequest {
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

// Transform: Continues with these arguments: the text of a JSON object that the tool's schema allows.
func (Call) Transform(arguments string) error {
	serve.Answered()
	answerTransform(arguments)
	return nil
}

// Reject: Refuses the call: the tool does not run and the model is given the reason.
func (Call) Reject(code string, reason string) error {
	serve.Answered()
	answerReject(code, reason, nil)
	return nil
}

// RejectWith: Refuses the call: the tool does not run and the model is given the reason.
func (Call) RejectWith(code string, reason string, details string) error {
	serve.Answered()
	answerReject(code, reason, &details)
	return nil
}

// Replace: Continues with these arguments. Later hooks still see them and may refuse, but cannot change them.
func (Call) Replace(arguments string) error {
	serve.Answered()
	answerReplace(arguments)
	return nil
}

// Answer: Gives the model this result. The tool does not run.
func (Call) Answer(content string, isError bool) error {
	serve.Answered()
	answerAnswer(content, isError)
	return nil
}

// Ask: Asks a person to decide. They are asked once all other hooks agree, and see the final arguments.
func (Call) Ask(question string) error {
	serve.Answered()
	answerAsk(question, nil)
	return nil
}

// AskWith: Asks a person to decide. They are asked once all other hooks agree, and see the final arguments.
func (Call) AskWith(question string, details string) error {
	serve.Answered()
	answerAsk(question, &details)
	return nil
}
