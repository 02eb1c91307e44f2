// Package fake is the host of tests: it has the imports of hooks that are not components.
package fake

import "reflect"

// Import is a call of the host.
type Import struct {
	// The interface and the function, such as content.text.
	Name string
	Args []any
}

// Args makes an import of a name and arguments.
func Args(name string, args ...any) Import {
	return Import{name, args}
}

// Host answers imports with the results of their functions; missing results are zero.
var Host func(Import) []any

// Call calls the host, and stores what it returns in results.
func Call(asked Import, results ...any) {
	if Host == nil {
		panic("a hook called the host, and there is none: a test makes one with hooktest.New(t)")
	}
	given := Host(asked)
	for i, result := range results {
		if i < len(given) && given[i] != nil {
			to := reflect.ValueOf(result).Elem()
			to.Set(reflect.ValueOf(given[i]).Convert(to.Type()))
		}
	}
}
