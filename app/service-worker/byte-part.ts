/**
 * The bytes that a media element requests: `bytes=0-`, `bytes=500-999` or `bytes=-500`. Null if the range is missing or
 * invalid.
 */
export function partOf(header: string, size: number): { from: number; to: number } | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from < to ? { from, to } : null;
}

/** Responds with a saved file like the server, because media elements seek with ranges. */
export async function respondWithPart(saved: Response, header: string | null): Promise<Response> {
  const file = await saved.blob();
  const headers = { 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' };
  if (header === null) return new Response(file, { headers });
  const part = partOf(header, file.size);
  if (!part) return new Response(null, { status: 416, headers: { 'content-range': `bytes */${file.size}` } });
  const body = file.slice(part.from, part.to);
  const range = `bytes ${part.from}-${part.to - 1}/${file.size}`;
  return new Response(body, { status: 206, headers: { ...headers, 'content-range': range } });
}
