/** How pictures, documents and archives begin, which people rename or pick by mistake. */
const SIGNATURES = [
  '89504e47', // PNG
  'ffd8ff', // JPEG
  '47494638', // GIF
  '52494646', // WebP, WAV
  '25504446', // PDF
  '504b0304', // zip: also xlsx, ods and numbers
  'd0cf11e0', // xls
  '1f8b08', // gzip
  '494433', // MP3
];
const HEAD_BYTES = 4;

/** Whether a file is a known kind of binary file, by its first bytes. */
export async function isKnownBinary(file: AsyncIterable<Uint8Array>): Promise<boolean> {
  let head = '';
  for await (const chunk of file) {
    head += Buffer.from(chunk.subarray(0, HEAD_BYTES)).toString('hex');
    if (head.length >= HEAD_BYTES * 2) break;
  }
  return SIGNATURES.some((signature) => head.startsWith(signature));
}
