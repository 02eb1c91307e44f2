// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package turnerror

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/turn-error-facts@0.2.0 kind
func rawFactKind() uint32

func factKind() contract.ErrorKind {
	r := rawFactKind()
	return contract.ErrorKind(r)
}

//go:wasmimport portcullis:hooks/turn-error-facts@0.2.0 message
func rawFactMessage(n1 uint32)

func factMessage() string {
	p := wire.Result()
	rawFactMessage(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-error-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Failure {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftFailure(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-error-answer@0.2.0 replace
func rawAnswerReplace(n1 uint32, n2 uint32)

func answerReplace(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerReplace(n1, n2)
	wire.End()
}

//go:wasmexport portcullis:hooks/turn-error@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
