// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package events is an import of the contract: Events for the agent's subscribers, such as dashboards, logs and tests.
package events

// Emit: Emits an event named `name` with `data` as JSON text, once the call has succeeded.
func Emit(name string, data string) {
	emit(name, data)
}
