package config

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
)

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

type object = map[string]any

// Schema returns the JSON schema of the type of these defaults, with the defaults and the examples. The tag doc of a field
// is its description, and the tag example has a value: a text as it is, anything else as JSON.
func Schema(defaults any, examples ...any) (any, error) {
	types := &types{names: map[reflect.Type]string{}, definitions: object{}}
	value := reflect.ValueOf(defaults)
	if !value.IsValid() {
		return true, nil
	}
	schema, err := types.of(value.Type(), value)
	if err != nil {
		return nil, err
	}
	root, is := schema.(object)
	if !is {
		return schema, nil
	}
	if len(types.definitions) > 0 {
		root["$defs"] = types.definitions
	}
	if len(examples) > 0 {
		root["examples"], err = given(examples, value)
	}
	return root, err
}

// given returns examples without the keys that have their defaults and without nulls: hooks.toml has no null.
func given(examples []any, defaults reflect.Value) ([]any, error) {
	initial, err := asJSON(defaults.Interface())
	if err != nil {
		return nil, err
	}
	var all []any
	for _, example := range examples {
		of, err := asJSON(example)
		if err != nil {
			return nil, fmt.Errorf("an example: %w", err)
		}
		if keys, is := of.(object); is {
			known, _ := initial.(object)
			maps.DeleteFunc(keys, func(key string, value any) bool {
				return value == nil || hasDefault(known[key]) && reflect.DeepEqual(value, known[key])
			})
		}
		all = append(all, of)
	}
	return all, nil
}

// hasDefault reports whether a key with this default may be left out.
func hasDefault(value any) bool {
	return value != nil && !reflect.ValueOf(value).IsZero()
}

// asJSON converts a value to the form in which its JSON is read.
func asJSON(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var read any
	return read, json.Unmarshal(text, &read)
}

// example returns the value of the tag example of a field of this type.
func example(text string, kind reflect.Type) (any, error) {
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if kind.Kind() == reflect.String {
		return text, nil
	}
	var read any
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return nil, fmt.Errorf("the tag example of a %v has JSON, and not %s", kind, text)
	}
	return read, nil
}

// types are the types that are described so far. The open structs are being described: a struct may contain its own type.
type types struct {
	open        []reflect.Type
	names       map[reflect.Type]string
	definitions object
}

// of describes a type. The defaults are invalid if there are none.
func (t *types) of(kind reflect.Type, defaults reflect.Value) (any, error) {
	if reflect.PointerTo(kind).Implements(ownJSON) {
		return true, nil
	}
	if reflect.PointerTo(kind).Implements(ownText) {
		return object{"type": "string"}, nil
	}
	switch kind.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}, nil
	case reflect.String:
		return object{"type": "string"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}, nil
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}, nil
	case reflect.Interface:
		return true, nil
	case reflect.Pointer:
		var pointed reflect.Value
		if defaults.IsValid() && !defaults.IsNil() {
			pointed = defaults.Elem()
		}
		of, err := t.of(kind.Elem(), pointed)
		return object{"anyOf": []any{of, object{"type": "null"}}}, err
	case reflect.Slice, reflect.Array:
		of, err := t.of(kind.Elem(), reflect.Value{})
		return object{"type": "array", "items": of}, err
	case reflect.Map:
		of, err := t.of(kind.Elem(), reflect.Value{})
		return object{"type": "object", "additionalProperties": of}, err
	case reflect.Struct:
		return t.record(kind, defaults)
	}
	return nil, fmt.Errorf("a configuration cannot hold a %v", kind)
}

func (t *types) record(kind reflect.Type, defaults reflect.Value) (any, error) {
	for _, open := range t.open {
		if open == kind {
			t.names[kind] = kind.Name()
			return object{"$ref": "#/$defs/" + kind.Name()}, nil
		}
	}
	t.open = append(t.open, kind)
	properties, required := object{}, []string{}
	for _, field := range reflect.VisibleFields(kind) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || field.Anonymous || name == "-" {
			continue
		}
		if name == "" {
			name = field.Name
		}
		var value reflect.Value
		if defaults.IsValid() {
			value = defaults.FieldByIndex(field.Index)
		}
		of, err := t.of(field.Type, value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		described, is := of.(object)
		if !is {
			described = object{}
		}
		if doc := field.Tag.Get("doc"); doc != "" {
			described["description"] = doc
		}
		if text, is := field.Tag.Lookup("example"); is {
			of, err := example(text, field.Type)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			described["examples"] = []any{of}
		}
		optional := field.Type.Kind() == reflect.Pointer || strings.Contains(options, "omit")
		if value.IsValid() && !value.IsZero() {
			described["default"] = value.Interface()
		} else if !optional {
			required = append(required, name)
		}
		properties[name] = described
	}
	t.open = t.open[:len(t.open)-1]
	schema := object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if name, ok := t.names[kind]; ok {
		t.definitions[name] = schema
		return object{"$ref": "#/$defs/" + name}, nil
	}
	return schema, nil
}
