import sharp from 'sharp';

const pictures = new Map<string, Promise<Buffer>>();

/** A red picture, by default of the minimum size of a cover. Each size is encoded once per test process. */
export function picture(width = 1400, height = width): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#C93A27' };
  const size = `${width}x${height}`;
  if (!pictures.has(size)) pictures.set(size, sharp({ create }).png().toBuffer());
  return pictures.get(size)!;
}
