package wire

import (
	"errors"
	"strings"
	"unsafe"
)

// Failed is the error of a call of the host that fails without a reason.
var Failed = errors.New("the host refused")

// Bool reads a bool.
func Bool(p unsafe.Pointer) bool { return *(*uint8)(p) != 0 }

// U8 reads a byte.
func U8(p unsafe.Pointer) uint8 { return *(*uint8)(p) }

// U16 reads a number.
func U16(p unsafe.Pointer) uint16 { return *(*uint16)(p) }

// U32 reads a number.
func U32(p unsafe.Pointer) uint32 { return *(*uint32)(p) }

// U64 reads a number.
func U64(p unsafe.Pointer) uint64 { return *(*uint64)(p) }

// S32 reads a number.
func S32(p unsafe.Pointer) int32 { return *(*int32)(p) }

// S64 reads a number.
func S64(p unsafe.Pointer) int64 { return *(*int64)(p) }

// F64 reads a number.
func F64(p unsafe.Pointer) float64 { return *(*float64)(p) }

// String reads a text.
func String(p unsafe.Pointer) string {
	return strings.Clone(unsafe.String((*byte)(pointer(U32(p))), U32(unsafe.Add(p, 4))))
}

// Bytes reads bytes. They are not nil, even if there are none.
func Bytes(p unsafe.Pointer) []byte {
	return append([]byte{}, unsafe.Slice((*byte)(pointer(U32(p))), U32(unsafe.Add(p, 4)))...)
}

// ListOf reads a list of values that have this size each.
func ListOf[T any](size uint32, lift func(unsafe.Pointer) T) func(unsafe.Pointer) []T {
	return func(p unsafe.Pointer) []T {
		list := make([]T, U32(unsafe.Add(p, 4)))
		at := pointer(U32(p))
		for i := range list {
			list[i] = lift(at)
			at = unsafe.Add(at, size)
		}
		return list
	}
}

// OptionOf reads a value that may be missing and begins at this offset.
func OptionOf[T any](offset uint32, lift func(unsafe.Pointer) T) func(unsafe.Pointer) *T {
	return func(p unsafe.Pointer) *T {
		if U8(p) == 0 {
			return nil
		}
		value := lift(unsafe.Add(p, offset))
		return &value
	}
}

// Nilable reads a variant that may be missing.
func Nilable[T any](offset uint32, lift func(unsafe.Pointer) T) func(unsafe.Pointer) T {
	return func(p unsafe.Pointer) (value T) {
		if U8(p) != 0 {
			value = lift(unsafe.Add(p, offset))
		}
		return value
	}
}

// PairOf reads two values that have this size each.
func PairOf[T any](size uint32, lift func(unsafe.Pointer) T) func(unsafe.Pointer) [2]T {
	return func(p unsafe.Pointer) [2]T {
		return [2]T{lift(p), lift(unsafe.Add(p, size))}
	}
}
