// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package agentstateedit is an import of the contract: Changes of the agent's state, for hooks of the role `transform`. The operator grants each key. What a call changes takes
// effect once its answer is accepted, all of it or nothing: then `state-changed` fires, and what is called later sees it.
// Hooks behind this one in the same chain see the state as it was.
package agentstateedit

// Set: Puts a value at a key. `value` is the text of a JSON value; `null` removes the key.
func Set(key string, value string) error {
	return set(key, value)
}

// Remove: Removes a key. It is no error if there is no such key.
func Remove(key string) error {
	return remove(key)
}
