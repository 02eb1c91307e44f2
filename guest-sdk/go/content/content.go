// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package content is an import of the contract: The content of the current call. At `pre-turn` and at the points of the prompt it is the user's message, at
// `post-llm-call` the model's response, at `post-turn` the turn's output, at `post-compaction` the summary. At
// `turn-error` it has a text for each failed model call, and the results of tool calls that failed or were blocked.
// The page of each point says what its content is. At points that have no content it is empty.
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
