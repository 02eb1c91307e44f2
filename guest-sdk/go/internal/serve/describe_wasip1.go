// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package serve

import (
	"unsafe"

	"portcullis/internal/wire"
)

// The descriptor, and what it points to: the host reads them when the function has returned.
var (
	described [64]uint64
	kept      wire.Args
)

//go:wasmexport portcullis:hooks/describe@0.2.0#describe
func describe() uint32 {
	p := unsafe.Pointer(&described)
	wire.LowerDescriptor(&kept, p, Described())
	return wire.Address(p)
}
