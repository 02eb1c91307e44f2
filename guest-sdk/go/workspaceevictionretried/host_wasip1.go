// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package workspaceevictionretried

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/workspace-eviction-retried-facts@0.2.0 workspace
func rawFactWorkspace(n1 uint32)

func factWorkspace() contract.Workspace {
	p := wire.Result()
	rawFactWorkspace(wire.Address(p))
	defer wire.End()
	return wire.LiftWorkspace(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-eviction-retried-facts@0.2.0 attempt
func rawFactAttempt() uint32

func factAttempt() uint32 {
	r := rawFactAttempt()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/workspace-eviction-retried-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.EvictionRetry {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftEvictionRetry(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/workspace-eviction-retried@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
