package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"portcullis/agentstate"
	"portcullis/content"
	"portcullis/conversation"
	"portcullis/prompt"
	"portcullis/session"
	"portcullis/toolcatalog"
	"portcullis/tooldata"
	"portcullis/verdict"
)

// look returns the data that the views show of the call.
func look() string {
	var role any
	if last, ok := conversation.Last(); ok {
		role = last.Role.String()
	}
	_, decided := verdict.Current()
	return encoded([]any{
		content.Text(),
		conversation.Len(),
		role,
		tooldata.Input(),
		some(tooldata.Output()),
		toolcatalog.Names(),
		some(session.User()),
		len(prompt.Policies()),
		some(agentstate.Get("mood")),
		!decided,
	})
}

func some[T any](value T, ok bool) any {
	if !ok {
		return nil
	}
	return value
}

// told returns all facts in the contract's JSON form: read one by one, and compared with the record.
func told(call call) string {
	input := reflect.ValueOf(call).MethodByName("Facts").Call(nil)[0]
	for i := range input.NumField() {
		name := input.Type().Field(i).Name
		one := reflect.ValueOf(call).MethodByName(name)
		if one.Type().NumIn() > 0 {
			// A fact with the name of an answer is named by its type.
			one = reflect.ValueOf(call).MethodByName(input.Field(i).Type().Name())
		}
		results := one.Call(nil)
		field := input.Field(i)
		if len(results) == 2 {
			if there := results[1].Bool(); there == field.IsNil() {
				panic(fmt.Sprintf("%s is there: %v, but in the record %v", name, there, field))
			}
			if field.IsNil() {
				continue
			}
			if field.Kind() == reflect.Pointer {
				field = field.Elem()
			}
		}
		if !reflect.DeepEqual(results[0].Interface(), field.Interface()) {
			panic(fmt.Sprintf("%s is %v, but in the record %v", name, results[0], field))
		}
	}
	return encoded(map[string]any{
		"context": form(reflect.ValueOf(call.Context())),
		"input":   form(input),
	})
}

func encoded(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(text.String())
}

// form returns a value in the contract's JSON form.
func form(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return form(value.Elem())
	case reflect.Slice:
		if value.IsNil() {
			return nil
		}
		list := make([]any, value.Len())
		for i := range list {
			list[i] = form(value.Index(i))
		}
		return list
	case reflect.Interface:
		if value.IsNil() {
			return nil
		}
		return variant(value.Type().Name(), value.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		for i := range value.NumField() {
			fields[kebab(value.Type().Field(i).Name)] = form(value.Field(i))
		}
		return fields
	case reflect.Uint8:
		if named, is := value.Interface().(fmt.Stringer); is {
			return named.String()
		}
	}
	return value.Interface()
}

func variant(of string, value reflect.Value) any {
	name := kebab(strings.TrimPrefix(value.Type().Name(), of))
	switch {
	case value.Kind() == reflect.Struct && value.NumField() == 0:
		return name
	case value.Kind() == reflect.Struct && value.NumField() == 1 && value.Field(0).Kind() == reflect.Interface:
		return map[string]any{name: form(value.Field(0))}
	}
	return map[string]any{name: form(value)}
}

var capitals = regexp.MustCompile(`ID|LLM|URL|[A-Z]`)

func kebab(name string) string {
	words := capitals.ReplaceAllStringFunc(name, func(word string) string { return "-" + strings.ToLower(word) })
	return strings.TrimPrefix(words, "-")
}
