// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package conversation

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/conversation@0.2.0 len
func rawLen() uint32

func len() uint32 {
	r := rawLen()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/conversation@0.2.0 last
func rawLast(n1 uint32)

func last() (contract.Message, bool) {
	p := wire.Result()
	rawLast(wire.Address(p))
	var zero contract.Message
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.LiftMessage(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/conversation@0.2.0 get
func rawGet(n1 uint32, n2 uint32)

func get(index uint32) (contract.Message, bool) {
	p := wire.Result()
	rawGet(uint32(index), wire.Address(p))
	var zero contract.Message
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.LiftMessage(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/conversation@0.2.0 slice
func rawSlice(n1 uint32, n2 uint32, n3 uint32)

func slice(start uint32, end uint32) []contract.Message {
	p := wire.Result()
	rawSlice(uint32(start), uint32(end), wire.Address(p))
	defer wire.End()
	return wire.ListOf(12, wire.LiftMessage)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/conversation@0.2.0 turn-start
func rawTurnStart() uint32

func turnStart() uint32 {
	r := rawTurnStart()
	return uint32(r)
}
