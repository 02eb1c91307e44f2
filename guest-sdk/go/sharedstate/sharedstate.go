// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package sharedstate is an import of the contract: State that hooks share across sessions, by namespace. The operator grants each namespace by name.
package sharedstate

// Get: The value at `key`, or none.
func Get(namespace string, key string) ([]byte, bool, error) {
	return get(namespace, key)
}

// Set: Sets the value at `key`.
func Set(namespace string, key string, value []byte) error {
	return set(namespace, key, value)
}

// Delete: Deletes `key`. It is not an error if there is no such key.
func Delete(namespace string, key string) error {
	return delete(namespace, key)
}

// Keys: The keys, in order.
func Keys(namespace string) ([]string, error) {
	return keys(namespace)
}

// Increment: Adds `delta` to the decimal integer at `key` (0 if there is none) and returns the sum, atomically.
func Increment(namespace string, key string, delta int64) (int64, error) {
	return increment(namespace, key, delta)
}

// Swap: Sets the value at `key` to `new` if it is `expected`, atomically; none means no value. Returns whether the value was set.
func Swap(namespace string, key string, expected []byte, new []byte) (bool, error) {
	return swap(namespace, key, expected, new)
}
