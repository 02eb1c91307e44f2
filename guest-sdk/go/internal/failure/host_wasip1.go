// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package failure

import (
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/failure@0.2.0 bad-config
func rawBadConfig(n1 uint32, n2 uint32)

func badConfig(message string) {
	a := wire.Begin()
	n1, n2 := a.String(message)
	rawBadConfig(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/failure@0.2.0 fail
func rawFail(n1 uint32, n2 uint32)

func fail(message string) {
	a := wire.Begin()
	n1, n2 := a.String(message)
	rawFail(n1, n2)
	wire.End()
}
