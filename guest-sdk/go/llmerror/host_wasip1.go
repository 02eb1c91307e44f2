// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package llmerror

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 provider
func rawFactProvider(n1 uint32)

func factProvider() string {
	p := wire.Result()
	rawFactProvider(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 model
func rawFactModel(n1 uint32)

func factModel() string {
	p := wire.Result()
	rawFactModel(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 attempt
func rawFactAttempt() uint32

func factAttempt() uint32 {
	r := rawFactAttempt()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 kind
func rawFactKind() uint32

func factKind() contract.ProviderErrorKind {
	r := rawFactKind()
	return contract.ProviderErrorKind(r)
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 status
func rawFactStatus(n1 uint32)

func factStatus() (uint16, bool) {
	p := wire.Result()
	rawFactStatus(wire.Address(p))
	var zero uint16
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.U16(unsafe.Add(p, 2)), true
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 message
func rawFactMessage(n1 uint32)

func factMessage() string {
	p := wire.Result()
	rawFactMessage(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 retry-after-ms
func rawFactRetryAfterMs(n1 uint32)

func factRetryAfterMs() (uint32, bool) {
	p := wire.Result()
	rawFactRetryAfterMs(wire.Address(p))
	var zero uint32
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.U32(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 providers
func rawFactProviders(n1 uint32)

func factProviders() []string {
	p := wire.Result()
	rawFactProviders(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-error-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.LLMFailure {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftLLMFailure(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-error-answer@0.2.0 retry
func rawAnswerRetry(n1 uint32)

func answerRetry(afterMs uint32) {
	rawAnswerRetry(uint32(afterMs))
}

//go:wasmimport portcullis:hooks/llm-error-answer@0.2.0 switch-provider
func rawAnswerSwitchProvider(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func answerSwitchProvider(provider string, model *string) {
	a := wire.Begin()
	n1, n2 := a.String(provider)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	if model != nil {
		n3 = 1
		n6, n7 := a.String(*model)
		n4, n5 = n6, n7
	}
	rawAnswerSwitchProvider(n1, n2, n3, n4, n5)
	wire.End()
}

//go:wasmimport portcullis:hooks/llm-error-answer@0.2.0 give-up
func rawAnswerGiveUp()

func answerGiveUp() {
	rawAnswerGiveUp()
}

//go:wasmexport portcullis:hooks/llm-error@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
