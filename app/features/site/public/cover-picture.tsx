import type { CoverUrls } from '~/server/domain/media/rules';

type CoverPictureProps = {
  cover: CoverUrls;
  alt: string;
  /** Its maximum display width in pixels. */
  wide: number;
  /** The part of a phone's width that it takes, in percent. */
  onPhones?: number;
  first?: boolean;
};

/** In a grid of two covers beside each other on phones (mastheads.css). */
export const IN_GRID = { wide: 252, onPhones: 44 };
/** In a row that phones swipe (home.css). */
export const IN_SHELF = { wide: 252, onPhones: 37 };

/** A cover that reserves its space while it loads. */
export function CoverPicture({ cover, alt, wide, onPhones = 60, first = false }: CoverPictureProps) {
  const { webp } = cover;
  return (
    <img
      className="cover"
      src={webp[640]}
      srcSet={`${webp[320]} 320w, ${webp[640]} 640w, ${webp[1400]} 1400w`}
      sizes={`(max-width: 767px) min(${onPhones}vw, ${wide}px), ${wide}px`}
      alt={alt}
      width={wide}
      height={wide}
      {...(first ? { fetchpriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
    />
  );
}
