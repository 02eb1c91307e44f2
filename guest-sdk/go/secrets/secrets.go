// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package secrets is an import of the contract: Secrets, by name. The operator grants each one by name, and says in `hooks.toml` where it is. What a hook says
// in its log, its events, its failures and its refusals is searched for the secrets that it was granted, and they are
// replaced by `[secret NAME]`.
package secrets

// Get: The secret, or nothing if this hook was not granted one of that name.
func Get(name string) (string, bool) {
	return get(name)
}
