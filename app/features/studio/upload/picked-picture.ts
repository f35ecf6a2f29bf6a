import { minPixelsOf } from '~/server/domain/media/rules';
import { COVER_LIMITS } from '~/server/limits/media';

type Picture = { width: number; height: number };

/** The minimum in pixels for each side: podcast apps refuse smaller covers. */
export function minPixelsFor(isCover: boolean): number {
  return minPixelsOf(isCover ? 'cover' : 'avatar');
}

/**
 * The next step for a picked picture. An exact square needs no crop, and uploads unchanged unless it has more pixels
 * than we store.
 */
export function planFor({ width, height }: Picture, minPixels: number): 'too_small' | 'upload' | 'shrink' | 'crop' {
  if (Math.min(width, height) < minPixels) return 'too_small';
  if (width !== height) return 'crop';
  return width <= COVER_LIMITS.recommendedPixels ? 'upload' : 'shrink';
}

/** Whether podcast apps refuse a cover of this size, in pixels for each side. */
export function isTooSmallForApps(side: number): boolean {
  return side < COVER_LIMITS.coverMinPixels;
}
