package wire

import "unsafe"

// The bytes that hold what WASI's adapter needs all its life, and after that what one import gives. A larger result is
// allocated.
const reserved = 192 << 10

var (
	area [reserved / 8]uint64
	// How much of the area is taken, and how much of that for good.
	taken, kept uint32
	// What did not fit into the area.
	large [][]uint64
	// Where results are written that are no number.
	result [64]uint64
)

func init() {
	// The adapter asks before Go's runtime has started, when nothing can be allocated.
	kept = taken
}

// realloc makes room for what the host gives. No other import can be called meanwhile.
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

// Address is the address of memory that Go keeps.
func Address(p unsafe.Pointer) uint32 {
	return uint32(uintptr(p))
}

func pointer(address uint32) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(nil), address)
}

// Result is where an import writes its result.
func Result() unsafe.Pointer {
	return unsafe.Pointer(&result)
}

// End forgets what the last import was given and gave.
func End() {
	taken = kept
	large = nil
	clear(args.kept)
	args.kept = args.kept[:0]
}
