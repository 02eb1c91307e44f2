package wire

import "unsafe"

// The bytes for the memory that WASI's adapter needs as long as it lives, and for the results of one import. A larger result
// is allocated.
const reserved = 192 << 10

var (
	area [reserved / 8]uint64
	// The bytes of the area that are taken, and those of them that are never freed.
	taken, kept uint32
	// The results that did not fit into the area.
	large [][]uint64
	// The memory for results that are not numbers.
	result [64]uint64
)

func init() {
	// The adapter asks before Go's runtime has started, when nothing can be allocated.
	kept = taken
}

// realloc allocates memory for the host's results. No other import can be called meanwhile.
//
//go:wasmexport cabi_realloc
func realloc(old, oldSize, align, size uint32) uint32 {
	at := (taken + align - 1) &^ (align - 1)
	if size <= reserved && at <= reserved-size {
		taken = at + size
		return Address(unsafe.Add(unsafe.Pointer(&area), at))
	}
	// The garbage collector reads the clock, which is an import.
	pauseClock(1)
	block := make([]uint64, (uint64(size)+7)/8)
	large = append(large, block)
	pauseClock(0)
	return Address(unsafe.Pointer(unsafe.SliceData(block)))
}

//go:wasmimport wasi_snapshot_preview1 adapter_monotonic_clock_set_paused
func pauseClock(paused uint32)

// Address returns the address of memory that Go keeps.
func Address(p unsafe.Pointer) uint32 {
	return uint32(uintptr(p))
}

func pointer(address uint32) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(nil), address)
}

// Result returns the memory to which an import writes its result.
func Result() unsafe.Pointer {
	return unsafe.Pointer(&result)
}

// End forgets the arguments and the results of the last import.
func End() {
	taken = kept
	large = nil
	clear(args.kept)
	args.kept = args.kept[:0]
}
