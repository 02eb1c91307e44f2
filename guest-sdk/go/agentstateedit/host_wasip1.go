// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package agentstateedit

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/agent-state-edit@0.2.0 set
func rawSet(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func set(key string, value string) error {
	a := wire.Begin()
	n1, n2 := a.String(key)
	n3, n4 := a.String(value)
	p := wire.Result()
	rawSet(n1, n2, n3, n4, wire.Address(p))
	defer wire.End()
	if wire.U8(p) != 0 {
		return wire.LiftEditError(unsafe.Add(p, 4))
	}
	return nil
}

//go:wasmimport portcullis:hooks/agent-state-edit@0.2.0 remove
func rawRemove(n1 uint32, n2 uint32, n3 uint32)

func remove(key string) error {
	a := wire.Begin()
	n1, n2 := a.String(key)
	p := wire.Result()
	rawRemove(n1, n2, wire.Address(p))
	defer wire.End()
	if wire.U8(p) != 0 {
		return wire.LiftEditError(unsafe.Add(p, 4))
	}
	return nil
}
