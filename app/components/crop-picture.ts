type Area = { x: number; y: number; width: number; height: number };

type Size = { width: number; height: number };

const QUALITY = 0.92;

/** The crop tool rounds the square's sides down. Without zoom the square gets the whole short side. */
export function fullSquare(area: Area, { width, height }: Size, zoom: number): Area {
  const side = zoom === 1 ? Math.min(width, height) : Math.round(Math.min(area.width, area.height));
  const within = (start: number, length: number) => Math.max(0, Math.min(Math.round(start), length - side));
  return { x: within(area.x, width), y: within(area.y, height), width: side, height: side };
}

/**
 * Draws a square part of a picture as a JPEG, with its side in pixels kept within the bounds: rounding may leave the
 * part one pixel short. Transparent parts become white.
 */
export async function cropToJpeg(
  source: string,
  area: Area,
  { min, max }: { min: number; max: number },
): Promise<Blob> {
  const image = await loadImage(source);
  const side = Math.min(Math.max(Math.round(area.width), min), max);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', QUALITY);
  });
}

/** @throws if the browser can't decode the file as a picture */
export function loadImage(source: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('not a picture'));
    image.src = source;
  });
}
