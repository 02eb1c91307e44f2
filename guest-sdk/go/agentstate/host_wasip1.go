// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package agentstate

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/agent-state@0.2.0 get
func rawGet(n1 uint32, n2 uint32, n3 uint32)

func get(key string) (string, bool) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	p := wire.Result()
	rawGet(n1, n2, wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/agent-state@0.2.0 diff
func rawDiff(n1 uint32)

func diff() string {
	p := wire.Result()
	rawDiff(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/agent-state@0.2.0 changed-by
func rawChangedBy(n1 uint32)

func changedBy() (string, bool) {
	p := wire.Result()
	rawChangedBy(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}
