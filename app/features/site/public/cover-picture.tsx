import type { CoverUrls } from '~/server/domain/media/rules';

/** A cover that reserves its space while it loads. `wide` is its maximum display width in pixels. */
export function CoverPicture({
  cover,
  alt,
  wide,
  first = false,
}: {
  cover: CoverUrls;
  alt: string;
  wide: number;
  first?: boolean;
}) {
  const { webp } = cover;
  return (
    <img
      className="cover"
      src={webp[640]}
      srcSet={`${webp[320]} 320w, ${webp[640]} 640w, ${webp[1400]} 1400w`}
      sizes={`(max-width: 767px) min(60vw, ${wide}px), ${wide}px`}
      alt={alt}
      width={wide}
      height={wide}
      {...(first ? { fetchpriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
    />
  );
}
