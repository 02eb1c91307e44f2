// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package workspacesnapshotted

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/workspace-snapshotted-facts@0.2.0 workspace
func rawFactWorkspace(n1 uint32)

func factWorkspace() contract.Workspace {
	p := wire.Result()
	rawFactWorkspace(wire.Address(p))
	defer wire.End()
	return wire.LiftWorkspace(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-snapshotted-facts@0.2.0 path
func rawFactPath(n1 uint32)

func factPath() string {
	p := wire.Result()
	rawFactPath(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/workspace-snapshotted-facts@0.2.0 bytes
func rawFactBytes() uint64

func factBytes() uint64 {
	r := rawFactBytes()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/workspace-snapshotted-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Snapshot {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftSnapshot(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/workspace-snapshotted@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
