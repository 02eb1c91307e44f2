// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package agentstate is an import of the contract: What tools, hooks and the embedder keep in the agent's state, a JSON object.
package agentstate

// Get: The value at a key, as JSON text.
func Get(key string) (string, bool) {
	return get(key)
}

// Diff: The current change, as the text of a JSON object: for each key that changed `[before, after]`, `null` for no value.
func Diff() string {
	return diff()
}

// ChangedBy: The hook that made the current change; nothing if a tool made it.
func ChangedBy() (string, bool) {
	return changedBy()
}
