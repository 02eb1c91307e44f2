// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package content is an import of the contract: The content of the current call. At `pre-turn` and at the points of the prompt it is what the user said, at
// `post-llm-call` what the model answered, at `post-turn` the turn's output, at `post-compaction` the summary,
// at `turn-error` what went wrong in the turn: a text for each failed model call, and the results of tool calls that
// failed or were blocked.
// The page of a point says what it is there; elsewhere it is empty.
package content

import (
	"portcullis/contract"
)

// Parts: All parts, in order.
func Parts() []contract.ContentPart {
	return parts()
}

// Text: The text parts, joined.
func Text() string {
	return text()
}
