//go:build !wasip1

package serve

// explain leaves panics to the test.
func explain() {}
