import sharp from 'sharp';

const pictures = new Map<string, Promise<Buffer>>();

/** A red picture, by default as large as a cover must be; each size is encoded once in a test process. */
export function picture(width = 1400, height = width): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#C93A27' };
  const size = `${width}x${height}`;
  if (!pictures.has(size)) pictures.set(size, sharp({ create }).png().toBuffer());
  return pictures.get(size)!;
}
