package config

import (
	"reflect"
	"strings"
)

// prepare makes the defaults ready to be read over. What is behind a pointer is copied, since the defaults are kept. Lists
// and maps that are given are emptied: the reader would put what is given into their old items and beside their old keys.
func prepare(value reflect.Value, given any) {
	if given == nil {
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			copied := reflect.New(value.Type().Elem())
			copied.Elem().Set(value.Elem())
			prepare(copied.Elem(), given)
			value.Set(copied)
		}
	case reflect.Slice, reflect.Map, reflect.Interface:
		value.SetZero()
	case reflect.Struct:
		keys, is := given.(map[string]any)
		if !is || reflect.PointerTo(value.Type()).Implements(ownJSON) {
			return
		}
		for _, field := range reflect.VisibleFields(value.Type()) {
			if len(field.Index) > 1 || !value.FieldByIndex(field.Index).CanSet() {
				continue
			}
			inner := value.FieldByIndex(field.Index)
			if field.Anonymous && field.Tag.Get("json") == "" {
				prepare(inner, given)
			} else if of, is := named(keys, field); is {
				prepare(inner, of)
			}
		}
	}
}

// named is what is given for a field. The reader of JSON does not tell small letters from large ones.
func named(keys map[string]any, field reflect.StructField) (any, bool) {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		name = field.Name
	}
	if of, is := keys[name]; is {
		return of, true
	}
	for key, of := range keys {
		if strings.EqualFold(key, name) {
			return of, true
		}
	}
	return nil, false
}
