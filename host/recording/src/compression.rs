//! The compression of blocks and file contents.

use lz4_flex::block;

use crate::error::RecordingError;

/// The most bytes to which LZ4 decompresses one byte.
const RATIO: usize = 255;

/// Returns the compressed bytes, after their original length.
pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    block::compress_prepend_size(bytes)
}

/// Decompresses [compressed](compress) bytes.
///
/// # Errors
///
/// The bytes are damaged.
pub(crate) fn decompress(bytes: &[u8]) -> Result<Vec<u8>, RecordingError> {
    let (size, bytes) = block::uncompressed_size(bytes).map_err(RecordingError::damaged)?;
    // The declared size is allocated up front, so it is bounded by the input's length.
    if size > bytes.len().saturating_mul(RATIO) {
        let claim = format!(
            "its {} bytes cannot be {size} bytes compressed",
            bytes.len()
        );
        return Err(RecordingError::Damaged(claim));
    }
    block::decompress(bytes, size).map_err(RecordingError::damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compresses_best_is_read_again() {
        for bytes in [
            Vec::new(),
            vec![0; 1],
            vec![0; 1 << 20],
            (0..=255).collect(),
        ] {
            assert_eq!(decompress(&compress(&bytes)).unwrap(), bytes);
        }
    }

    #[test]
    fn a_size_that_cannot_be_is_damage() {
        let mut bytes = compress(&[0; 1000]);
        bytes.splice(..4, u32::MAX.to_le_bytes());
        let error = decompress(&bytes).unwrap_err();
        assert!(error.to_string().contains("cannot be 4294967295 bytes"));
        assert!(decompress(&bytes[..2]).is_err());
    }
}
