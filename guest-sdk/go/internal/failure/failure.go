// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package failure is an import of the contract: The hook could not do its work. A failure is never a refusal: the hook's failure policy decides what follows.
// A hook that failed gives no answer, and returns true.
package failure

// BadConfig: The operator's configuration of this hook is wrong.
func BadConfig(message string) {
	badConfig(message)
}

// Fail: Any other failure.
func Fail(message string) {
	fail(message)
}
