// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package sessionend

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/session-end-facts@0.2.0 reason
func rawFactReason() uint32

func factReason() contract.EndReason {
	r := rawFactReason()
	return contract.EndReason(r)
}

//go:wasmimport portcullis:hooks/session-end-facts@0.2.0 turns
func rawFactTurns() uint32

func factTurns() uint32 {
	r := rawFactTurns()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/session-end-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/session-end-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.SessionSummary {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftSessionSummary(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/session-end@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
