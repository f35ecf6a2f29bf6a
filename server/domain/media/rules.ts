/** Widths in pixels of the webp sizes that every stored picture has. */
export const PICTURE_WIDTHS = [96, 320, 640, 1400] as const;

/** Root-relative addresses of a stored picture: the square JPEG, and webp by width. */
export type CoverUrls = { jpg: string; webp: Record<(typeof PICTURE_WIDTHS)[number], string> };

/** @param base its key, `images/{user}/{sha256}` */
export function coverUrls(base: string): CoverUrls {
  const webp = (width: number) => `/media/${base}/${width}.webp`;
  return { jpg: `/media/${base}/full.jpg`, webp: { 96: webp(96), 320: webp(320), 640: webp(640), 1400: webp(1400) } };
}
