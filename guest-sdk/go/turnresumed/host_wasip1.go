// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package turnresumed

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/turn-resumed-facts@0.2.0 checkpoint
func rawFactCheckpoint(n1 uint32)

func factCheckpoint() string {
	p := wire.Result()
	rawFactCheckpoint(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-resumed-facts@0.2.0 resolved
func rawFactResolved(n1 uint32)

func factResolved() []string {
	p := wire.Result()
	rawFactResolved(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-resumed-facts@0.2.0 waited-ms
func rawFactWaitedMs() uint64

func factWaitedMs() uint64 {
	r := rawFactWaitedMs()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/turn-resumed-facts@0.2.0 steps
func rawFactSteps() uint32

func factSteps() uint32 {
	r := rawFactSteps()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/turn-resumed-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Resumption {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftResumption(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/turn-resumed@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
