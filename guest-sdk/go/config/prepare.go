package config

import (
	"cmp"
	"reflect"
	"strings"
)

// prepare makes a copy of the defaults ready for the JSON reader. The targets of pointers are copied, since the defaults are
// kept. Lists, arrays and maps that are given are emptied: the reader would reuse their old items and keep their old keys.
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
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		value.SetZero()
	case reflect.Struct:
		keys, is := given.(map[string]any)
		if !is || reflect.PointerTo(value.Type()).Implements(ownJSON) {
			return
		}
		for _, field := range reflect.VisibleFields(value.Type()) {
			tag := field.Tag.Get("json")
			if len(field.Index) > 1 || tag == "-" {
				continue
			}
			name, _, _ := strings.Cut(tag, ",")
			inner := value.FieldByIndex(field.Index)
			kind := inner.Type()
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			// The fields of an embedded struct can be set even if the struct cannot. An embedded value that is no struct is a field.
			isEmbedded := field.Anonymous && name == "" && kind.Kind() == reflect.Struct
			if isEmbedded && (inner.CanSet() || inner.Kind() == reflect.Struct) {
				prepare(inner, given)
			} else if of, is := named(keys, cmp.Or(name, field.Name)); is && inner.CanSet() {
				prepare(inner, of)
			}
		}
	}
}

// named returns the value that is given for a name. The reader of JSON ignores the case of letters.
func named(keys map[string]any, name string) (any, bool) {
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
