import type { Caption } from '~/server/domain/soundbites/rules';
import { fitText, isRightToLeft, LINE } from './wrap-text';

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
  /** Size of the title in pixels, if it fits. */
  title: number;
};

const LAYOUTS: Record<Shape, Layout> = {
  square: {
    cover: { x: 80, y: 80, width: 340, height: 340 },
    words: { x: 460, y: 80, width: 540, height: 340 },
    caption: { x: 80, y: 480, width: 920, height: 330 },
    wave: { x: 80, y: 850, width: 920, height: 150 },
    title: 56,
  },
  vertical: {
    cover: { x: 190, y: 240, width: 700, height: 700 },
    words: { x: 90, y: 990, width: 900, height: 335 },
    caption: { x: 90, y: 1340, width: 900, height: 290 },
    wave: { x: 90, y: 1660, width: 900, height: 130 },
    title: 60,
  },
  wide: {
    cover: { x: 120, y: 120, width: 520, height: 520 },
    words: { x: 720, y: 120, width: 1080, height: 230 },
    caption: { x: 720, y: 390, width: 1080, height: 280 },
    wave: { x: 120, y: 740, width: 1680, height: 200 },
    title: 68,
  },
};

const FAMILY = 'system-ui, "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Color Emoji", sans-serif';
const SHOW_SIZE = 34;
const SHOW_GAP = 16;
const CAPTION_SIZE = 56;
/** A long text is drawn smaller before it is cut. */
const SCALES = [1, 0.8, 0.64];

/** Where the wave is, in pixels. */
export const waveOf = (shape: Shape): Box => LAYOUTS[shape].wave;

type Moment = { content: PictureContent; atMs: number; playedMs?: number };

/** Draws the picture with what is said at a time of the soundbite. The wave has played until then, or until `playedMs`. */
export function drawPicture(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  shape: Shape,
  { content, atMs, playedMs = atMs }: Moment,
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
  const { words, title } = layout;
  const isFromRight = isRightToLeft(content.title);
  const titleRoom = { ...words, height: words.height - SHOW_GAP - SHOW_SIZE * LINE };
  const used = drawText(canvas, titleRoom, { text: content.title, size: title, weight: 700, isFromRight });
  const below = { ...words, y: words.y + used + SHOW_GAP, height: SHOW_SIZE * LINE };
  drawText(canvas, below, { text: content.show, size: SHOW_SIZE, weight: 400, isFromRight });
  const said = content.captions.findLast(({ startMs }) => startMs <= atMs) ?? content.captions[0];
  if (said)
    drawText(canvas, layout.caption, {
      ...{ text: said.text, size: CAPTION_SIZE, weight: 600, isFromRight: isRightToLeft(said.text) },
    });
  drawWave(canvas, layout.wave, { ...content, playedMs });
}

/** `isFromRight`: where its lines begin. */
type Words = { text: string; size: number; weight: number; isFromRight: boolean };

/** @returns the height of the text */
function drawText(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { x, y, width, height }: Box,
  { text, size: wanted, weight, isFromRight }: Words,
): number {
  canvas.textBaseline = 'top';
  canvas.direction = isRightToLeft(text) ? 'rtl' : 'ltr';
  canvas.textAlign = isFromRight ? 'right' : 'left';
  const setSize = (size: number) => {
    canvas.font = `${weight} ${size}px ${FAMILY}`;
  };
  const measure = (part: string, size: number) => {
    setSize(size);
    return canvas.measureText(part).width;
  };
  const sizes = SCALES.map((scale) => Math.round(wanted * scale));
  const { size, lines } = fitText({ text, width, height, sizes, measure });
  setSize(size);
  for (const [index, line] of lines.entries())
    canvas.fillText(line, isFromRight ? x + width : x, y + index * size * LINE);
  return lines.length * size * LINE;
}

const UNPLAYED = 0.4;

function drawWave(
  canvas: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { x, y, width, height }: Box,
  { peaks, playedMs, durationMs }: Pick<PictureContent, 'peaks' | 'durationMs'> & { playedMs: number },
): void {
  const wide = width / peaks.length;
  for (const [index, peak] of peaks.entries()) {
    const tall = Math.max(6, peak * height);
    canvas.globalAlpha = (index + 0.5) / peaks.length <= playedMs / durationMs ? 1 : UNPLAYED;
    canvas.beginPath();
    canvas.roundRect(x + index * wide, y + (height - tall) / 2, wide * 0.6, tall, wide * 0.3);
    canvas.fill();
  }
  canvas.globalAlpha = 1;
}
