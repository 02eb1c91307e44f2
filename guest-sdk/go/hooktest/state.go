package hooktest

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"portcullis/contract"
)

// own answers an import of the hook's own state.
func (h *Host) own(function string, args []any) []any {
	return stored(h.State, function, args)
}

// shared answers an import of the state that hooks share.
func (h *Host) shared(function string, args []any) []any {
	namespace := args[0].(string)
	values, there := h.SharedState[namespace]
	if !there {
		denied := contract.StateErrorDenied("the test's Host has no namespace " + namespace)
		// The error is the last result, of one, two or three.
		switch function {
		case "get":
			return []any{nil, nil, denied}
		case "set", "delete":
			return []any{denied}
		}
		return []any{nil, denied}
	}
	return stored(values, function, args[1:])
}

func stored(values map[string][]byte, function string, args []any) []any {
	if function == "keys" {
		return []any{slices.Sorted(maps.Keys(values))}
	}
	key := args[0].(string)
	switch function {
	case "get":
		return found(values, key)
	case "set":
		values[key] = bytes.Clone(args[1].([]byte))
	case "delete":
		delete(values, key)
	case "increment":
		before := int64(0)
		if value, there := values[key]; there {
			var err error
			if before, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return []any{nil, contract.StateErrorNotANumber{}}
			}
		}
		delta := args[1].(int64)
		sum := before + delta
		if (sum < before) != (delta < 0) {
			return []any{nil, contract.StateErrorNotANumber{}}
		}
		values[key] = strconv.AppendInt(nil, sum, 10)
		return []any{sum}
	case "swap":
		current, there := values[key]
		expected, next := args[1].([]byte), args[2].([]byte)
		if there != (expected != nil) || !bytes.Equal(current, expected) {
			return []any{false}
		}
		if next == nil {
			delete(values, key)
		} else {
			values[key] = bytes.Clone(next)
		}
		return []any{true}
	}
	return nil
}
