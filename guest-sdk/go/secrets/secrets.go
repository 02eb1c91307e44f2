// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package secrets is an import of the contract: Secrets, by name. The operator grants each one by name, and says in `hooks.toml` where it is. The host replaces the
// secrets that a hook was granted by `[secret NAME]` in its log, its events, its failures and its refusals.
package secrets

// Get: The value of the secret, or none if this hook was not granted a secret of that name.
func Get(name string) (string, bool) {
	return get(name)
}
