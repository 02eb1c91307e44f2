// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package verdict is an import of the contract: The chain's decision, for hooks that observe.
package verdict

import (
	"portcullis/contract"
)

// Current: The verdict on the current call; none while the chain still runs.
func Current() (contract.ChainVerdict, bool) {
	return current()
}
