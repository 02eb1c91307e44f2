// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package conversation is an import of the contract: The messages so far. At `pre-llm-call` these are the messages about to be sent. At `pre-compaction` this is the whole
// conversation, of which the agent will remove older messages; the indexes of messages to keep refer to this view.
package conversation

import (
	"portcullis/contract"
)

// Len: The number of messages.
func Len() uint32 {
	return len()
}

// Last: The newest message.
func Last() (contract.Message, bool) {
	return last()
}

// Get: The message at `index`. The oldest is at 0.
func Get(index uint32) (contract.Message, bool) {
	return get(index)
}

// Slice: The messages from `start` up to, but not including, `end`. Indexes outside of the conversation are ignored.
func Slice(start uint32, end uint32) []contract.Message {
	return slice(start, end)
}

// TurnStart: The index of the first message of the current turn, which is the user's. All messages from there on belong
// to the turn. Outside of a turn, it is the number of messages. The same holds at `pre-llm-call` and `post-llm-call`, where
// the messages are those of the request.
func TurnStart() uint32 {
	return turnStart()
}
