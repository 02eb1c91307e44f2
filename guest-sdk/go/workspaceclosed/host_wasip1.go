// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package workspaceclosed

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/workspace-closed-facts@0.2.0 name
func rawFactName(n1 uint32)

func factName() string {
	p := wire.Result()
	rawFactName(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-closed-facts@0.2.0 path
func rawFactPath(n1 uint32)

func factPath() string {
	p := wire.Result()
	rawFactPath(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-closed-facts@0.2.0 reason
func rawFactReason(n1 uint32)

func factReason() string {
	p := wire.Result()
	rawFactReason(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-closed-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Workspace {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftWorkspace(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/workspace-closed@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
