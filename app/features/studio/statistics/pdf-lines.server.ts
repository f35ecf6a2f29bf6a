import type { Document } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { textRuns } from '~/app/features/listener/subscriptions/text-runs';

type Box = { x: number; y: number; width: number };

const ELLIPSIS = '…';

export const lineHeight = (doc: Document, size: number): number => unitOf(doc.fontSize(size));

/**
 * Draws a text in as many lines as it needs. The words are divided into lines before those of right-to-left scripts are
 * reversed: the library would begin with the last line. @returns the place below
 */
export function drawLines(doc: Document, text: string, { x, y, width }: Box): number {
  const height = unitOf(doc);
  let at = y;
  for (const line of linesOf(doc, text, width)) {
    if (at + height > doc.page.height - doc.page.margins.bottom) {
      doc.addPage();
      at = doc.page.margins.top;
    }
    drawLine(doc, line, { x, y: at, width });
    at += height;
  }
  return at;
}

/** Draws a text in one line, cut to the width. @returns its right end */
export function drawLine(doc: Document, text: string, { x, y, width }: Box): number {
  const baseline = y + ascentOf(doc);
  let at = x;
  for (const { font, text: part } of textRuns(fitting(doc, text, width))) {
    doc.font(font).text(part, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
    at += doc.widthOfString(part);
  }
  return at;
}

/** Fonts of other scripts are higher, and their letters must stand on the same line. */
const ascentOf = (doc: Document): number => unitOf(doc) * LATIN_ASCENT;
const LATIN_ASCENT = 1069 / 1362;

const unitOf = (doc: Document): number => doc.font('latin').currentLineHeight(true);

/** Measuring takes as long as drawing, and most words and numbers of a report return: widths in heights of a line. */
const measured = new WeakMap<Document, Map<string, number>>();

function widthOf(doc: Document, text: string): number {
  const known = measured.get(doc) ?? new Map<string, number>();
  measured.set(doc, known);
  const unit = unitOf(doc);
  const width = known.get(text) ?? measure(doc, text) / unit;
  known.set(text, width);
  return width * unit;
}

const measure = (doc: Document, text: string): number =>
  textRuns(text).reduce((sum, run) => sum + doc.font(run.font).widthOfString(run.text), 0);

function linesOf(doc: Document, text: string, width: number): string[] {
  const space = widthOf(doc, ' ');
  const lines: string[] = [];
  let line: string[] = [];
  let used = 0;
  for (const word of text.split(/\s+/)) {
    const added = widthOf(doc, word) + (line.length > 0 ? space : 0);
    if (line.length > 0 && used + added > width) {
      lines.push(line.join(' '));
      line = [word];
      used = added - space;
    } else {
      line.push(word);
      used += added;
    }
  }
  return [...lines, line.join(' ')];
}

/** Half an emoji is never drawn, because emoji are left out. */
function fitting(doc: Document, text: string, width: number): string {
  // a rounding error must not cut the last letter
  if (widthOf(doc, text) <= width + 0.5) return text;
  const letters = [...text];
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(doc, letters.slice(0, middle).join('') + ELLIPSIS) <= width) fits = middle;
    else tooLong = middle;
  }
  return letters.slice(0, fits).join('').trimEnd() + ELLIPSIS;
}
