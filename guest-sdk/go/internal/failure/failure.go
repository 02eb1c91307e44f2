// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package failure is an import of the contract: The hook's own failure: it could not do its work. A failure is never a refusal, and what follows from it is
// the hook's failure policy. A hook that failed gives no answer, and returns true.
package failure

// BadConfig: The operator's configuration of this hook is wrong.
func BadConfig(message string) {
	badConfig(message)
}

// Fail: Anything else.
func Fail(message string) {
	fail(message)
}
