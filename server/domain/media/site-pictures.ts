import { createHash } from 'node:crypto';
import { SITE_PICTURE as SIZE } from '../../limits/media';
import { inTurn, loadSharp, textBlock } from './share-canvas';

/** Content of the picture for links to a page of the site. `section`: the part of the site that has the page. */
export type SitePicture = { title: string; section: string | null };

/** Raised when the layout changes. */
const LAYOUT = 1;
const COLORS = { ground: '#FBFAF8', title: '#15131D', section: '#A92F1E', mark: '#F3F0EA', logo: '#C93A27' };

/** Hash of the whole content, so that changed content gets a new address. */
export function sitePictureHash({ title, section }: SitePicture): string {
  const content = JSON.stringify([LAYOUT, title, section]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** As a PNG, because letters in a JPEG of this size are less sharp. Null while too many others are being drawn. */
export const drawSitePicture = (picture: SitePicture): Promise<Buffer | null> => inTurn(() => draw(picture));

async function draw({ title, section }: SitePicture): Promise<Buffer> {
  const library = await loadSharp();
  const { width, height, margin } = SIZE;
  const across = width - margin * 2;
  const [above, main, name] = await Promise.all([
    textBlock(library, section ?? '', { color: COLORS.section, size: 34, width: across, height: 50 }),
    textBlock(library, title, { color: COLORS.title, size: 88, width: across, height: 300 }),
    textBlock(library, 'Altavoz', { color: COLORS.title, size: 44, width: 400, height: 64 }),
  ]);
  const top = margin + 20 + (above ? above.height + 36 : 0);
  const foot = height - margin - 24;
  const layers = [
    { input: Buffer.from(ground()), left: 0, top: 0 },
    ...(above ? [{ input: above.data, left: margin, top: margin + 20 }] : []),
    ...(main ? [{ input: main.data, left: margin, top }] : []),
    ...(name ? [{ input: name.data, left: margin + 76, top: foot - Math.round(name.height / 2) }] : []),
  ];
  return library({ create: { width, height, channels: 3, background: COLORS.ground } })
    .composite(layers)
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** The band at the edge, and the logo (public/favicon.svg) beside the name and large in the corner. */
function ground(): string {
  const { width, height, margin } = SIZE;
  const foot = height - margin - 24;
  const logo = (color: string) =>
    `<circle cx="11" cy="16" r="7" fill="${color}"/><path d="M21 8.5a10 10 0 0 1 0 15M25.5 4.5a16 16 0 0 1 0 23" fill="none" stroke="${color}" stroke-width="3" stroke-linecap="round"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <g transform="translate(${width - 560} ${height - 410}) scale(18)">${logo(COLORS.mark)}</g>
    <rect width="${width}" height="14" fill="${COLORS.logo}"/>
    <g transform="translate(${margin - 8} ${foot - 30}) scale(1.875)">${logo(COLORS.logo)}</g>
  </svg>`;
}
