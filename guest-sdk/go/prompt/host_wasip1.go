// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package prompt

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/prompt@0.2.0 policies
func rawPolicies(n1 uint32)

func policies() []contract.DomainPolicy {
	p := wire.Result()
	rawPolicies(wire.Address(p))
	defer wire.End()
	return wire.ListOf(16, wire.LiftDomainPolicy)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt@0.2.0 policy
func rawPolicy(n1 uint32, n2 uint32, n3 uint32)

func policy(domain string) (contract.DomainPolicy, bool) {
	a := wire.Begin()
	n1, n2 := a.String(domain)
	p := wire.Result()
	rawPolicy(n1, n2, wire.Address(p))
	var zero contract.DomainPolicy
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.LiftDomainPolicy(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/prompt@0.2.0 context-items
func rawContextItems(n1 uint32)

func contextItems() []contract.ContextItem {
	p := wire.Result()
	rawContextItems(wire.Address(p))
	defer wire.End()
	return wire.ListOf(28, wire.LiftContextItem)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt@0.2.0 sections
func rawSections(n1 uint32)

func sections() []contract.PromptSection {
	p := wire.Result()
	rawSections(wire.Address(p))
	defer wire.End()
	return wire.ListOf(44, wire.LiftPromptSection)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt@0.2.0 queries
func rawQueries(n1 uint32)

func queries() []string {
	p := wire.Result()
	rawQueries(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}
