// Package config reads the operator's configuration of the hook: its [hooks.ID.config] table in hooks.toml.
//
//	type settings struct {
//		Blocked []string `json:"blocked" doc:"The words that no message may contain."`
//		Limit   int      `json:"limit"`
//	}
//
//	var configured = config.Of(settings{Limit: 5}).Example(settings{Blocked: []string{"password"}, Limit: 10})
//
// The component exports the JSON schema of the type, so a wrong configuration is found when the hook is loaded.
package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"portcullis/internal/serve"
	"portcullis/internal/store"
)

// Config is a configuration of type T.
type Config[T any] struct {
	defaults T
	examples []any
	read     *T
}

var schema = func() (any, error) { return true, nil }

// Of declares the type of the configuration, once, in a variable of the package. A key that the operator leaves out has
// its value in defaults, also within a struct that is given in part. A list or a map that is given replaces the default.
// A key must be given if its default is zero, unless its field is a pointer or has omitempty or omitzero.
func Of[T any](defaults T) *Config[T] {
	c := &Config[T]{defaults: defaults}
	schema = func() (any, error) { return Schema(c.defaults, c.examples...) }
	return c
}

// Example adds an example of the whole configuration. Operators see the example without the keys that have their defaults.
func (c *Config[T]) Example(example T) *Config[T] {
	c.examples = append(c.examples, example)
	return c
}

// Get returns the configuration. It is read at the first call of an instance and kept; do not change it. The error is for
// the handler to return: it says what is wrong with the configuration.
func (c *Config[T]) Get() (*T, error) {
	if c.read != nil && once {
		return c.read, nil
	}
	table, given, err := store.Get("")
	if err != nil {
		return nil, errors.New("the configuration could not be read: " + err.Error())
	}
	read := c.defaults
	if given {
		var keys any
		if err := json.Unmarshal([]byte(table), &keys); err != nil {
			return nil, err
		}
		prepare(reflect.ValueOf(&read).Elem(), keys)
		if err := decode(table, &read); err != nil {
			return nil, err
		}
	}
	c.read = &read
	return c.read, nil
}

func decode(table string, into any) error {
	decoder := json.NewDecoder(bytes.NewReader([]byte(table)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return serve.BadConfig("`" + wrong.Field + "` is a " + wrong.Value + ", and must be of Go's type " + wrong.Type.String())
	}
	return serve.BadConfig(strings.TrimPrefix(err.Error(), "json: "))
}

// text returns the schema as JSON.
func text() string {
	described, err := schema()
	if err == nil {
		var text []byte
		if text, err = json.Marshal(described); err == nil {
			return string(text)
		}
	}
	panic(err)
}
