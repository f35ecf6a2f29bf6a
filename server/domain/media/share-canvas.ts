import type sharp from 'sharp';
import { createSlots } from '../../flow/slots';
import { SHARE_IMAGE } from '../../limits/media';
import { isDrawable, SHARE_FONTS, writeShareFonts } from './share-fonts';

const withSlot = createSlots(1);
let waiting = 0;

/** Draws one picture after the other. @returns null while too many others are being drawn */
export async function inTurn<T>(draw: () => Promise<T>): Promise<T | null> {
  if (waiting >= SHARE_IMAGE.waiting) return null;
  waiting += 1;
  try {
    return await withSlot(draw);
  } finally {
    waiting -= 1;
  }
}

type Sharp = typeof sharp;
let loading: Promise<Sharp> | undefined;

/** Loads our fonts, so that the picture is the same on every machine. A font stays loaded after its first use. */
export function loadSharp(): Promise<Sharp> {
  loading ??= (async () => {
    const { default: library } = await import('sharp');
    for (const fontfile of await writeShareFonts())
      await library({ text: { text: 'a', fontfile, font: SHARE_FONTS } })
        .png()
        .toBuffer();
    return library;
  })();
  return loading;
}

type Block = { color: string; size: number; width: number; height: number };
const SMALLEST = 34;

/** Long texts get smaller letters, and are then shortened. Null for scripts that our fonts lack. */
export async function textBlock(library: Sharp, text: string, { color, size, width, height }: Block) {
  if (text.trim() === '' || !isDrawable(text)) return null;
  let shown = [...text].slice(0, SHARE_IMAGE.characters);
  for (let points = size; ; points = Math.max(SMALLEST, points - 8)) {
    const isWhole = shown.length === [...text].length;
    const markup = `<span foreground="${color}">${escapeMarkup(shown.join('').trim())}${isWhole ? '' : '…'}</span>`;
    const block = {
      text: markup,
      font: `${SHARE_FONTS} ${points}`,
      width,
      dpi: 72,
      rgba: true,
      wrap: 'word-char' as const,
    };
    const { data, info } = await library({ text: block }).png().toBuffer({ resolveWithObject: true });
    if (info.height <= height)
      return { data, height: info.height, width: info.width, isRightToLeft: isRightToLeft(text) };
    if (points === Math.min(SMALLEST, size)) shown = shown.slice(0, Math.floor(shown.length * 0.75));
  }
}

const escapeMarkup = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The first letter with a direction decides. */
const isRightToLeft = (text: string): boolean => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
