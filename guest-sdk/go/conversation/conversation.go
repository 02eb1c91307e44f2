// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package conversation is an import of the contract: The messages so far. At `pre-llm-call` the messages about to be sent. At `pre-compaction` the whole conversation, of
// which the agent will remove older messages; the indexes that a hook keeps are those of this view.
package conversation

import (
	"portcullis/contract"
)

// Len: How many there are.
func Len() uint32 {
	return len()
}

// Last: The newest.
func Last() (contract.Message, bool) {
	return last()
}

// Get: The one at `index`, the oldest being 0.
func Get(index uint32) (contract.Message, bool) {
	return get(index)
}

// Slice: Those from `start` up to, and without, `end`; what lies outside is left out.
func Slice(start uint32, end uint32) []contract.Message {
	return slice(start, end)
}

// TurnStart: The index of the first message that the current turn has added, which is what the user said. The messages from it on
// are the turn's so far; at `post-turn` these are all. Outside of a turn, and at `pre-llm-call` and `post-llm-call`,
// where the messages are those of the request, it is the number of messages.
func TurnStart() uint32 {
	return turnStart()
}
