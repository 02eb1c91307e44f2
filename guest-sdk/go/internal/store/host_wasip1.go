// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package store

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport wasi:config/store@0.2.0-rc.1 get
func rawGet(n1 uint32, n2 uint32, n3 uint32)

func get(key string) (string, bool, error) {
	a := wire.Begin()
	n1, n2 := a.String(key)
	p := wire.Result()
	rawGet(n1, n2, wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, false, wire.LiftConfigError(unsafe.Add(p, 4))
	}
	if wire.U8(unsafe.Add(p, 4)) == 0 {
		return zero, false, nil
	}
	return wire.String(unsafe.Add(p, 8)), true, nil
}

//go:wasmimport wasi:config/store@0.2.0-rc.1 get-all
func rawGetAll(n1 uint32)

func getAll() ([][2]string, error) {
	p := wire.Result()
	rawGetAll(wire.Address(p))
	var zero [][2]string
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftConfigError(unsafe.Add(p, 4))
	}
	return wire.ListOf(16, wire.PairOf(8, wire.String))(unsafe.Add(p, 4)), nil
}
