import { LRUCache } from 'lru-cache';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** A QR code as one SVG path of horizontal strokes, in modules. */
export type QrCodeData = { size: number; path: string };

const known = new LRUCache<string, QrCodeData>({ max: PAGE_LIMITS.qrCodes });

/** Returns the QR code of an address. The result is kept, because pages render the same code again and again. */
export async function qrCodeOf(text: string): Promise<QrCodeData> {
  const found = known.get(text);
  if (found) return found;
  const { encode } = await import('uqr');
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const code = { size, path: data.map(rowPath).join('') };
  known.set(text, code);
  return code;
}

/** Each run of dark modules is one stroke through their middle. */
function rowPath(row: boolean[], y: number): string {
  const runs = row.map((isDark) => (isDark ? '#' : '.')).join('');
  return [...runs.matchAll(/#+/g)].map(({ 0: run, index }) => `M${index} ${y}.5h${run.length}`).join('');
}
