// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package sharedstate

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/shared-state@0.2.0 get
func rawGet(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func get(namespace string, key string) ([]byte, bool, error) {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	n3, n4 := a.String(key)
	p := wire.Result()
	rawGet(n1, n2, n3, n4, wire.Address(p))
	var zero []byte
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, false, wire.LiftStateError(unsafe.Add(p, 4))
	}
	if wire.U8(unsafe.Add(p, 4)) == 0 {
		return zero, false, nil
	}
	return wire.Bytes(unsafe.Add(p, 8)), true, nil
}

//go:wasmimport portcullis:hooks/shared-state@0.2.0 set
func rawSet(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32)

func set(namespace string, key string, value []byte) error {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	n3, n4 := a.String(key)
	n5, n6 := a.Bytes(value)
	p := wire.Result()
	rawSet(n1, n2, n3, n4, n5, n6, wire.Address(p))
	defer wire.End()
	if wire.U8(p) != 0 {
		return wire.LiftStateError(unsafe.Add(p, 4))
	}
	return nil
}

//go:wasmimport portcullis:hooks/shared-state@0.2.0 delete
func rawDelete(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func delete(namespace string, key string) error {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	n3, n4 := a.String(key)
	p := wire.Result()
	rawDelete(n1, n2, n3, n4, wire.Address(p))
	defer wire.End()
	if wire.U8(p) != 0 {
		return wire.LiftStateError(unsafe.Add(p, 4))
	}
	return nil
}

//go:wasmimport portcullis:hooks/shared-state@0.2.0 keys
func rawKeys(n1 uint32, n2 uint32, n3 uint32)

func keys(namespace string) ([]string, error) {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	p := wire.Result()
	rawKeys(n1, n2, wire.Address(p))
	var zero []string
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftStateError(unsafe.Add(p, 4))
	}
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 4)), nil
}

//go:wasmimport portcullis:hooks/shared-state@0.2.0 increment
func rawIncrement(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint64, n6 uint32)

func increment(namespace string, key string, delta int64) (int64, error) {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	n3, n4 := a.String(key)
	p := wire.Result()
	rawIncrement(n1, n2, n3, n4, uint64(delta), wire.Address(p))
	var zero int64
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftStateError(unsafe.Add(p, 8))
	}
	return wire.S64(unsafe.Add(p, 8)), nil
}

//go:wasmimport portcullis:hooks/shared-state@0.2.0 swap
func rawSwap(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32, n8 uint32, n9 uint32, n10 uint32, n11 uint32)

func swap(namespace string, key string, expected []byte, new []byte) (bool, error) {
	a := wire.Begin()
	n1, n2 := a.String(namespace)
	n3, n4 := a.String(key)
	var n5 uint32
	var n6 uint32
	var n7 uint32
	if expected != nil {
		n5 = 1
		n8, n9 := a.Bytes(expected)
		n6, n7 = n8, n9
	}
	var n10 uint32
	var n11 uint32
	var n12 uint32
	if new != nil {
		n10 = 1
		n13, n14 := a.Bytes(new)
		n11, n12 = n13, n14
	}
	p := wire.Result()
	rawSwap(n1, n2, n3, n4, n5, n6, n7, n10, n11, n12, wire.Address(p))
	var zero bool
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftStateError(unsafe.Add(p, 4))
	}
	return wire.Bool(unsafe.Add(p, 4)), nil
}
