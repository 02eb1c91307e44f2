package config

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

type object = map[string]any

// Schema is the JSON schema of the type of these defaults, which it shows. The tag doc of a field says what it means.
func Schema(defaults any) (any, error) {
	types := &types{names: map[reflect.Type]string{}, definitions: object{}}
	value := reflect.ValueOf(defaults)
	if !value.IsValid() {
		return true, nil
	}
	schema, err := types.of(value.Type(), value)
	if err != nil {
		return nil, err
	}
	if len(types.definitions) > 0 {
		return object{"allOf": []any{schema}, "$defs": types.definitions}, nil
	}
	return schema, nil
}

// types are the structs that are being described: one may hold others of itself.
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
