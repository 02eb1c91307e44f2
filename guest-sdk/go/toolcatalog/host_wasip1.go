// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package toolcatalog

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/tool-catalog@0.2.0 names
func rawNames(n1 uint32)

func names() []string {
	p := wire.Result()
	rawNames(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-catalog@0.2.0 get
func rawGet(n1 uint32, n2 uint32, n3 uint32)

func get(name string) (contract.ToolSpec, bool) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	p := wire.Result()
	rawGet(n1, n2, wire.Address(p))
	var zero contract.ToolSpec
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.LiftToolSpec(unsafe.Add(p, 4)), true
}
