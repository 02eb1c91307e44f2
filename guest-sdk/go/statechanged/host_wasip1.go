// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package statechanged

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/state-changed-facts@0.2.0 tool
func rawFactTool(n1 uint32)

func factTool() string {
	p := wire.Result()
	rawFactTool(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/state-changed-facts@0.2.0 call-id
func rawFactCallID(n1 uint32)

func factCallID() string {
	p := wire.Result()
	rawFactCallID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/state-changed-facts@0.2.0 keys
func rawFactKeys(n1 uint32)

func factKeys() []string {
	p := wire.Result()
	rawFactKeys(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/state-changed-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.StateChange {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftStateChange(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/state-changed@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
