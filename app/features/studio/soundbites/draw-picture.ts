import type { Caption } from '~/server/domain/soundbites/rules';
import { isRightToLeft, wrapText } from './wrap-text';

/** The shapes that social networks show whole, in pixels. */
export const SHAPES = {
  square: { width: 1080, height: 1080 },
  vertical: { width: 1080, height: 1920 },
  wide: { width: 1920, height: 1080 },
} as const;
export type Shape = keyof typeof SHAPES;

export type PictureContent = {
  title: string;
  show: string;
  cover: CanvasImageSource;
  colors: { button: string; text: string };
  /** From 0 to 1, at equal distances. */
  peaks: number[];
  captions: Caption[];
  durationMs: number;
};

type Box = { x: number; y: number; width: number; height: number };
type Layout = {
  cover: Box;
  words: Box;
  caption: Box;
  wave: Box;
  title: number;
  titleLines: number;
  captionLines: number;
};

const LAYOUTS: Record<Shape, Layout> = {
  square: {
    cover: { x: 80, y: 80, width: 340, height: 340 },
    words: { x: 460, y: 80, width: 540, height: 340 },
    caption: { x: 80, y: 480, width: 920, height: 330 },
    wave: { x: 80, y: 850, width: 920, height: 150 },
    ...{ title: 56, titleLines: 4, captionLines: 4 },
  },
  vertical: {
    cover: { x: 190, y: 240, width: 700, height: 700 },
    words: { x: 90, y: 990, width: 900, height: 260 },
    caption: { x: 90, y: 1340, width: 900, height: 290 },
    wave: { x: 90, y: 1660, width: 900, height: 130 },
    ...{ title: 60, titleLines: 3, captionLines: 4 },
  },
  wide: {
    cover: { x: 120, y: 120, width: 520, height: 520 },
    words: { x: 720, y: 120, width: 1080, height: 230 },
    caption: { x: 720, y: 390, width: 1080, height: 270 },
    wave: { x: 120, y: 740, width: 1680, height: 200 },
    ...{ title: 68, titleLines: 2, captionLines: 3 },
  },
};

const FAMILY = 'system-ui, "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Color Emoji", sans-serif';
const SHOW_SIZE = 34;
const CAPTION_SIZE = 56;
const LINE = 1.25;

/** Draws the picture with what is said at a time of the soundbite, and how far it has played then. */
export function drawPicture(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  shape: Shape,
  { content, atMs }: { content: PictureContent; atMs: number },
): void {
  const { width, height } = SHAPES[shape];
  const layout = LAYOUTS[shape];
  canvas.fillStyle = content.colors.button;
  canvas.fillRect(0, 0, width, height);
  const { cover } = layout;
  canvas.save();
  canvas.beginPath();
  canvas.roundRect(cover.x, cover.y, cover.width, cover.height, 24);
  canvas.clip();
  canvas.drawImage(content.cover, cover.x, cover.y, cover.width, cover.height);
  canvas.restore();
  canvas.fillStyle = content.colors.text;
  const { words, title, titleLines } = layout;
  const used = drawText(canvas, words, { text: content.title, size: title, weight: 700, lines: titleLines });
  const below = { ...words, y: words.y + used + 16 };
  drawText(canvas, below, { text: content.show, size: SHOW_SIZE, weight: 400, lines: 1 });
  const said = content.captions.findLast(({ startMs }) => startMs <= atMs) ?? content.captions[0];
  if (said)
    drawText(canvas, layout.caption, {
      ...{ text: said.text, size: CAPTION_SIZE, weight: 600, lines: layout.captionLines },
    });
  drawWave(canvas, layout.wave, { ...content, atMs });
}

type Words = { text: string; size: number; weight: number; lines: number };

/** @returns the height of the text */
function drawText(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { x, y, width }: Box,
  { text, size, weight, lines: most }: Words,
): number {
  canvas.font = `${weight} ${size}px ${FAMILY}`;
  canvas.textBaseline = 'top';
  const isFromRight = isRightToLeft(text);
  canvas.direction = isFromRight ? 'rtl' : 'ltr';
  canvas.textAlign = 'start';
  const lines = wrapText({ text, width, lines: most, measure: (part) => canvas.measureText(part).width });
  for (const [index, line] of lines.entries())
    canvas.fillText(line, isFromRight ? x + width : x, y + index * size * LINE);
  return lines.length * size * LINE;
}

const UNPLAYED = 0.4;

function drawWave(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { x, y, width, height }: Box,
  { peaks, atMs, durationMs }: Pick<PictureContent, 'peaks' | 'durationMs'> & { atMs: number },
): void {
  const wide = width / peaks.length;
  for (const [index, peak] of peaks.entries()) {
    const tall = Math.max(6, peak * height);
    canvas.globalAlpha = (index + 0.5) / peaks.length <= atMs / durationMs ? 1 : UNPLAYED;
    canvas.beginPath();
    canvas.roundRect(x + index * wide, y + (height - tall) / 2, wide * 0.6, tall, wide * 0.3);
    canvas.fill();
  }
  canvas.globalAlpha = 1;
}
