// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package failure is an import of the contract: Reports of the hook's failures. A failure is never a refusal: the hook's failure policy decides its effect.
// A hook that failed gives no answer, and returns true.
package failure

// BadConfig: Reports that the operator's configuration of this hook is wrong.
func BadConfig(message string) {
	badConfig(message)
}

// Fail: Reports any other failure.
func Fail(message string) {
	fail(message)
}
