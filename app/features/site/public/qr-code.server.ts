import { LRUCache } from 'lru-cache';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** A QR code as one SVG path of horizontal strokes, in modules. */
export type QrCodeData = { size: number; path: string };

const known = new LRUCache<string, QrCodeData>({ max: PAGE_LIMITS.qrCodes });

/** The QR code of an address. Pages are rendered again and again with the same one. */
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
