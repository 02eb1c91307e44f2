// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package store is an import of the contract: The WASI runtime-config proposal.
package store

// Get: Get the value at `key`, or nothing.
func Get(key string) (string, bool, error) {
	return get(key)
}

// GetAll: Get all key-value pairs.
func GetAll() ([][2]string, error) {
	return getAll()
}
