// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package promptcompile serves the point `prompt-compile`.
//
// The prompt is about to be written. The contributions are in the view `prompt`.
package promptcompile

import (
	"portcullis/call"
	"portcullis/contract"
	"portcullis/internal/serve"
)

var handler func(Call) error

// Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return
// it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.
func Handle(handle func(Call) error) {
	serve.Point("prompt-compile")
	handler = handle
}

// Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.
type Call struct{}

// Sections: The number of sections so far.
func (Call) Sections() uint32 {
	return factSections()
}

// Items: The number of items of context.
func (Call) Items() uint32 {
	return factItems()
}

// Tokens: The estimated number of tokens in the sections.
func (Call) Tokens() uint64 {
	return factTokens()
}

// BudgetTokens: The most tokens that the sections may have.
func (Call) BudgetTokens() uint64 {
	return factBudgetTokens()
}

// Facts: All facts in one record, for hooks that read more than four.
func (Call) Facts() contract.PromptDraft {
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

// Transform: Changes the draft.
func (Call) Transform(edit contract.PromptEdit) error {
	serve.Answered()
	answerTransform(edit)
	return nil
}

// AddSection: Adds a section to the prompt.
func (Call) AddSection(section contract.PromptSection) {
	serve.Answered()
	answerAddSection(section)
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
