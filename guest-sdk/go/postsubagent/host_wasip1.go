// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package postsubagent

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 call-id
func rawFactCallID(n1 uint32)

func factCallID() string {
	p := wire.Result()
	rawFactCallID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 agent
func rawFactAgent(n1 uint32)

func factAgent() string {
	p := wire.Result()
	rawFactAgent(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 session-id
func rawFactSessionID(n1 uint32)

func factSessionID() (string, bool) {
	p := wire.Result()
	rawFactSessionID(wire.Address(p))
	var zero string
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.String(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 is-error
func rawFactIsError() uint32

func factIsError() bool {
	r := rawFactIsError()
	return r != 0
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 output-bytes
func rawFactOutputBytes() uint32

func factOutputBytes() uint32 {
	r := rawFactOutputBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 steps
func rawFactSteps() uint32

func factSteps() uint32 {
	r := rawFactSteps()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 elapsed-us
func rawFactElapsedUs() uint64

func factElapsedUs() uint64 {
	r := rawFactElapsedUs()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/post-subagent-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.SubagentResult {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftSubagentResult(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-subagent-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(text string) {
	a := wire.Begin()
	n1, n2 := a.String(text)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmexport portcullis:hooks/post-subagent@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
