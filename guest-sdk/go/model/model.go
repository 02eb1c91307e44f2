// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package model is an import of the contract: The agent's model, for hooks that need a judgement. The operator grants it with a budget of tokens, and says
// which model it is. A call runs no hooks, and the turn's usage counts it. What the model writes is data: it may say
// anything, so a hook must check it.
package model

import (
	"portcullis/contract"
)

// Complete: Asks the model for a completion. `instructions` tell the model what to do, and `prompt` is its input. It
// writes at most `max-tokens`, and at most what is left of the hook's budget.
func Complete(instructions string, prompt string, maxTokens *uint32) (contract.Completion, error) {
	return complete(instructions, prompt, maxTokens)
}

// TokensLeft: The tokens that are left of the hook's budget for the current turn.
func TokensLeft() uint64 {
	return tokensLeft()
}
