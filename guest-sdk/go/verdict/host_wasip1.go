// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package verdict

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/verdict@0.2.0 current
func rawCurrent(n1 uint32)

func current() (contract.ChainVerdict, bool) {
	p := wire.Result()
	rawCurrent(wire.Address(p))
	var zero contract.ChainVerdict
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.LiftChainVerdict(unsafe.Add(p, 4)), true
}
