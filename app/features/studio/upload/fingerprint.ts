const SLICE = 64 * 1024;
const PLACES = [0, 0.33, 0.66, 1];
/** FNV-1a. It detects accidental mix-ups; it does not need to resist forgery. */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Distinguishes files of the same name and size, such as a recording and its corrected export, by samples of their
 * bytes.
 */
export async function fingerprint(file: Blob): Promise<string> {
  let hash = SEED;
  for (const place of PLACES) {
    const start = Math.floor(Math.max(0, file.size - SLICE) * place);
    for (const byte of new Uint8Array(await file.slice(start, start + SLICE).arrayBuffer())) {
      hash = Math.imul(hash ^ byte, PRIME);
    }
  }
  return (hash >>> 0).toString(16);
}
