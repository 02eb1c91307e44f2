// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package agentstateedit is an import of the contract: Changes of the agent's state, for hooks of the role `transform`. The operator grants each key. The changes of a call
// take effect together, once its answer is accepted: then `state-changed` fires, and later calls see the new state.
// Later hooks in the same chain see the state as it was.
package agentstateedit

// Set: Sets the value at a key. `value` is the text of a JSON value; `null` removes the key.
func Set(key string, value string) error {
	return set(key, value)
}

// Remove: Removes a key. It is not an error if there is no such key.
func Remove(key string) error {
	return remove(key)
}
