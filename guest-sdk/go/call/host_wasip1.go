// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package call

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/call@0.2.0 session-id
func rawSessionID(n1 uint32)

func sessionID() string {
	p := wire.Result()
	rawSessionID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/call@0.2.0 agent
func rawAgent(n1 uint32)

func agent() string {
	p := wire.Result()
	rawAgent(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/call@0.2.0 turn
func rawTurn() uint32

func turn() uint32 {
	r := rawTurn()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/call@0.2.0 step
func rawStep() uint32

func step() uint32 {
	r := rawStep()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/call@0.2.0 context
func rawContext(n1 uint32)

func context() contract.Context {
	p := wire.Result()
	rawContext(wire.Address(p))
	defer wire.End()
	return wire.LiftContext(unsafe.Add(p, 0))
}
