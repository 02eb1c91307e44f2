// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package turnsuspended

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 reason
func rawFactReason() uint32

func factReason() contract.SuspendReason {
	r := rawFactReason()
	return contract.SuspendReason(r)
}

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 checkpoint
func rawFactCheckpoint(n1 uint32)

func factCheckpoint() string {
	p := wire.Result()
	rawFactCheckpoint(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 pending
func rawFactPending(n1 uint32)

func factPending() []string {
	p := wire.Result()
	rawFactPending(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 partial
func rawFactPartial() uint32

func factPartial() bool {
	r := rawFactPartial()
	return r != 0
}

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 steps
func rawFactSteps() uint32

func factSteps() uint32 {
	r := rawFactSteps()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/turn-suspended-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Suspension {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftSuspension(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/turn-suspended@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
