// Package serve calls a hook's handlers.
package serve

import (
	"errors"

	"portcullis/contract"
	"portcullis/internal/failure"
)

// Descriptor is the author's declaration.
var Descriptor contract.Descriptor

var points []string

// Point records that a point is handled.
func Point(name string) {
	points = append(points, name)
}

// Described returns the descriptor with the points.
func Described() contract.Descriptor {
	described := Descriptor
	described.Points = points
	return described
}

// BadConfig is the error of a wrong configuration.
type BadConfig string

func (e BadConfig) Error() string { return string(e) }

var answered bool

// Answered records that the current call has an answer.
func Answered() {
	answered = true
}

// Run calls a handler. It reports whether the handler answered or failed.
func Run(handle func() error) bool {
	answered = false
	defer explain()
	err := handle()
	if err == nil {
		return answered
	}
	if wrong, ok := errors.AsType[BadConfig](err); ok {
		failure.BadConfig(string(wrong))
	} else {
		failure.Fail(err.Error())
	}
	return true
}
