// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package state is an import of the contract: The hook's own state, kept for the length of the session and readable by no other hook.
//
// `set` and `delete` take effect when the call succeeds; `increment` and
// `swap` take effect at once and are undone if the call fails.
package state

// Get: The value at `key`, or none.
func Get(key string) ([]byte, bool) {
	return get(key)
}

// Set: Sets the value at `key`.
func Set(key string, value []byte) error {
	return set(key, value)
}

// Delete: Deletes `key`. It is not an error if there is no such key.
func Delete(key string) {
	delete(key)
}

// Keys: The keys, in order.
func Keys() []string {
	return keys()
}

// Increment: Adds `delta` to the decimal integer at `key` (0 if there is none) and returns the sum, atomically.
func Increment(key string, delta int64) (int64, error) {
	return increment(key, delta)
}

// Swap: Sets the value at `key` to `new` if it is `expected`, atomically; none means no value. Returns whether the value was set.
func Swap(key string, expected []byte, new []byte) (bool, error) {
	return swap(key, expected, new)
}
