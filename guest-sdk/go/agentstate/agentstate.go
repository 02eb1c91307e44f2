// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package agentstate is an import of the contract: The agent's state: a JSON object that tools, hooks and the embedder write.
package agentstate

// Get: The value at a key, as JSON text.
func Get(key string) (string, bool) {
	return get(key)
}

// Diff: The current change, as the text of a JSON object: for each changed key `[before, after]`, with `null` for no value.
func Diff() string {
	return diff()
}

// ChangedBy: The hook that made the current change; none if a tool made it.
func ChangedBy() (string, bool) {
	return changedBy()
}
