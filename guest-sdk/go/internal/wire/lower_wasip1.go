package wire

import "unsafe"

// Args has the arguments of an import. It keeps memory that Go would otherwise free, since Go sees the addresses as numbers.
type Args struct {
	kept []unsafe.Pointer
}

var args Args

// Begin returns the arguments of the next import.
func Begin() *Args {
	return &args
}

func (a *Args) keep(p unsafe.Pointer) uint32 {
	a.kept = append(a.kept, p)
	return Address(p)
}

// String returns the address and the length of a text.
func (a *Args) String(text string) (uint32, uint32) {
	return a.keep(unsafe.Pointer(unsafe.StringData(text))), uint32(len(text))
}

// Bytes returns the address and the length of bytes.
func (a *Args) Bytes(bytes []byte) (uint32, uint32) {
	return a.keep(unsafe.Pointer(unsafe.SliceData(bytes))), uint32(len(bytes))
}

// Block returns memory of this size, all zero.
func (a *Args) Block(size int) unsafe.Pointer {
	p := unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
	a.keep(p)
	return p
}

// List returns the address and the length of a list of values that have this size each.
func List[T any](a *Args, list []T, size int, lower func(*Args, unsafe.Pointer, T)) (uint32, uint32) {
	block := a.Block(len(list) * size)
	for i, value := range list {
		lower(a, unsafe.Add(block, i*size), value)
	}
	return Address(block), uint32(len(list))
}

// FromBool returns a bool as a number.
func FromBool(value bool) uint32 {
	if value {
		return 1
	}
	return 0
}

// Missing ends the call because a value is nil that must not be.
func Missing(name string) {
	panic("a contract." + name + " is nil")
}

// PutBool writes a bool.
func PutBool(_ *Args, p unsafe.Pointer, value bool) { *(*uint8)(p) = uint8(FromBool(value)) }

// PutU8 writes a byte.
func PutU8(_ *Args, p unsafe.Pointer, value uint8) { *(*uint8)(p) = value }

// PutU16 writes a number.
func PutU16(_ *Args, p unsafe.Pointer, value uint16) { *(*uint16)(p) = value }

// PutU32 writes a number.
func PutU32(_ *Args, p unsafe.Pointer, value uint32) { *(*uint32)(p) = value }

// PutU64 writes a number.
func PutU64(_ *Args, p unsafe.Pointer, value uint64) { *(*uint64)(p) = value }

// PutS32 writes a number.
func PutS32(_ *Args, p unsafe.Pointer, value int32) { *(*int32)(p) = value }

// PutS64 writes a number.
func PutS64(_ *Args, p unsafe.Pointer, value int64) { *(*int64)(p) = value }

// PutF64 writes a number.
func PutF64(_ *Args, p unsafe.Pointer, value float64) { *(*float64)(p) = value }

func put(p unsafe.Pointer, address, length uint32) {
	*(*uint32)(p) = address
	*(*uint32)(unsafe.Add(p, 4)) = length
}

// PutString writes a text.
func PutString(a *Args, p unsafe.Pointer, text string) {
	address, length := a.String(text)
	put(p, address, length)
}

// PutBytes writes bytes.
func PutBytes(a *Args, p unsafe.Pointer, bytes []byte) {
	address, length := a.Bytes(bytes)
	put(p, address, length)
}

// PutListOf writes a list of values that have this size each.
func PutListOf[T any](size int, lower func(*Args, unsafe.Pointer, T)) func(*Args, unsafe.Pointer, []T) {
	return func(a *Args, p unsafe.Pointer, list []T) {
		address, length := List(a, list, size, lower)
		put(p, address, length)
	}
}

// PutOptionOf writes a value that may be missing and begins at this offset.
func PutOptionOf[T any](offset int, lower func(*Args, unsafe.Pointer, T)) func(*Args, unsafe.Pointer, *T) {
	return func(a *Args, p unsafe.Pointer, value *T) {
		if value != nil {
			PutU8(a, p, 1)
			lower(a, unsafe.Add(p, offset), *value)
		}
	}
}

// PutNilable writes a variant that may be missing.
func PutNilable[T comparable](offset int, lower func(*Args, unsafe.Pointer, T)) func(*Args, unsafe.Pointer, T) {
	return func(a *Args, p unsafe.Pointer, value T) {
		var missing T
		if value != missing {
			PutU8(a, p, 1)
			lower(a, unsafe.Add(p, offset), value)
		}
	}
}

// PutNilableList writes a list that may be missing.
func PutNilableList[T any](offset int, lower func(*Args, unsafe.Pointer, []T)) func(*Args, unsafe.Pointer, []T) {
	return func(a *Args, p unsafe.Pointer, list []T) {
		if list != nil {
			PutU8(a, p, 1)
			lower(a, unsafe.Add(p, offset), list)
		}
	}
}

// PutPairOf writes two values that have this size each.
func PutPairOf[T any](size int, lower func(*Args, unsafe.Pointer, T)) func(*Args, unsafe.Pointer, [2]T) {
	return func(a *Args, p unsafe.Pointer, pair [2]T) {
		lower(a, p, pair[0])
		lower(a, unsafe.Add(p, size), pair[1])
	}
}
