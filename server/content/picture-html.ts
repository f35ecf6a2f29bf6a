import { escapeHtml } from '../base/html';
import { PICTURES_PATH } from './paths';

export type ShownPicture = { name: string; width: number; height: number };
type Pictures = { picture(name: string): ShownPicture | undefined };
/** Width and height in pixels reserve its space. */
type Sized = { width: number; height: number };
/** What `picture` and `img` need. Browsers use the first source whose condition is true. */
export type PictureParts = { image: Sized & { src: string }; sources: (Sized & { srcSet: string; media: string })[] };

/** As wide as phones of the style sheets (app/styles/public). */
const ON_PHONES = '(max-width: 767px)';
const IN_THE_DARK = '(prefers-color-scheme: dark)';
const VARIANTS = [
  { suffix: '-phone-dark', media: `${ON_PHONES} and ${IN_THE_DARK}` },
  { suffix: '-phone', media: ON_PHONES },
  { suffix: '-dark', media: IN_THE_DARK },
] as const;

/** A picture `studio.webp` with its variants, such as `studio-phone-dark.webp`, as far as they exist. */
export function pictureParts(shown: ShownPicture, { picture }: Pictures): PictureParts {
  const sources = VARIANTS.flatMap(({ suffix, media }) => {
    const variant = picture(shown.name.replace(/\.\w+$/, `${suffix}$&`));
    return variant ? [{ srcSet: urlOf(variant), media, ...sizeOf(variant) }] : [];
  });
  return { image: { src: urlOf(shown), ...sizeOf(shown) }, sources };
}

const urlOf = ({ name }: ShownPicture): string => `${PICTURES_PATH}/${name}`;
const sizeOf = ({ width, height }: ShownPicture): Sized => ({ width, height });

/** `alt`: for people who don't see it. */
export function pictureHtml({ image, sources }: PictureParts, alt: string): string {
  const size = ({ width, height }: Sized) => `width="${width}" height="${height}"`;
  const img = `<img src="${image.src}" alt="${escapeHtml(alt)}" ${size(image)} loading="lazy">`;
  if (sources.length === 0) return img;
  const others = sources.map((source) => `<source srcset="${source.srcSet}" media="${source.media}" ${size(source)}>`);
  return `<picture>${others.join('')}${img}</picture>`;
}
