// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package state

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/state@0.2.0 get
func rawGet(n1 uint32, n2 uint32, n3 uint32)

func get(key string) ([]byte, bool) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	p := wire.Result()
	rawGet(n1, n2, wire.Address(p))
	var zero []byte
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.Bytes(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/state@0.2.0 set
func rawSet(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func set(key string, value []byte) error {
	a := wire.Begin()
	n1, n2 := a.String(key)
	n3, n4 := a.Bytes(value)
	p := wire.Result()
	rawSet(n1, n2, n3, n4, wire.Address(p))
	defer wire.End()
	if wire.U8(p) != 0 {
		return wire.LiftStateError(unsafe.Add(p, 4))
	}
	return nil
}

//go:wasmimport portcullis:hooks/state@0.2.0 delete
func rawDelete(n1 uint32, n2 uint32)

func delete(key string) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	rawDelete(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/state@0.2.0 keys
func rawKeys(n1 uint32)

func keys() []string {
	p := wire.Result()
	rawKeys(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/state@0.2.0 increment
func rawIncrement(n1 uint32, n2 uint32, n3 uint64, n4 uint32)

func increment(key string, delta int64) (int64, error) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	p := wire.Result()
	rawIncrement(n1, n2, uint64(delta), wire.Address(p))
	var zero int64
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftStateError(unsafe.Add(p, 8))
	}
	return wire.S64(unsafe.Add(p, 8)), nil
}

//go:wasmimport portcullis:hooks/state@0.2.0 swap
func rawSwap(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32, n8 uint32, n9 uint32)

func swap(key string, expected []byte, new []byte) (bool, error) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	if expected != nil {
		n3 = 1
		n6, n7 := a.Bytes(expected)
		n4, n5 = n6, n7
	}
	var n8 uint32
	var n9 uint32
	var n10 uint32
	if new != nil {
		n8 = 1
		n11, n12 := a.Bytes(new)
		n9, n10 = n11, n12
	}
	p := wire.Result()
	rawSwap(n1, n2, n3, n4, n5, n8, n9, n10, wire.Address(p))
	var zero bool
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftStateError(unsafe.Add(p, 4))
	}
	return wire.Bool(unsafe.Add(p, 4)), nil
}
