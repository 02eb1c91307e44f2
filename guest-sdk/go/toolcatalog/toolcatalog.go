// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package toolcatalog is an import of the contract: The tools that the model is offered.
package toolcatalog

import (
	"portcullis/contract"
)

// Names: The names of the tools, in order.
func Names() []string {
	return names()
}

// Get: The tool of that name.
func Get(name string) (contract.ToolSpec, bool) {
	return get(name)
}
