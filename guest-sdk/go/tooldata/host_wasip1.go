// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package tooldata

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/tool-data@0.2.0 input
func rawInput(n1 uint32)

func input() string {
	p := wire.Result()
	rawInput(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-data@0.2.0 output
func rawOutput(n1 uint32)

func output() (string, bool) {
	p := wire.Result()
	rawOutput(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}
