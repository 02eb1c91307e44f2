// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package secrets

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/secrets@0.2.0 get
func rawGet(n1 uint32, n2 uint32, n3 uint32)

func get(name string) (string, bool) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	p := wire.Result()
	rawGet(n1, n2, wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}
