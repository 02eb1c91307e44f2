// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package config

import (
	"unsafe"

	"portcullis/internal/wire"
)

// The schema: the host reads it when the function has returned.
var (
	described [1]uint64
	kept      wire.Args
)

//go:wasmexport portcullis:hooks/configuration@0.2.0#schema
func export() uint32 {
	p := unsafe.Pointer(&described)
	wire.PutString(&kept, p, text())
	return wire.Address(p)
}
