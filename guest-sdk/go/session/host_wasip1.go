// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package session

import (
	"unsafe"

	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/session@0.2.0 user
func rawUser(n1 uint32)

func user() (string, bool) {
	p := wire.Result()
	rawUser(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/session@0.2.0 working-dir
func rawWorkingDir(n1 uint32)

func workingDir() (string, bool) {
	p := wire.Result()
	rawWorkingDir(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/session@0.2.0 parent
func rawParent(n1 uint32)

func parent() (string, bool) {
	p := wire.Result()
	rawParent(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/session@0.2.0 metadata
func rawMetadata(n1 uint32)

func metadata() [][2]string {
	p := wire.Result()
	rawMetadata(wire.Address(p))
	defer wire.End()
	return wire.ListOf(16, wire.PairOf(8, wire.String))(unsafe.Add(p, 0))
}
