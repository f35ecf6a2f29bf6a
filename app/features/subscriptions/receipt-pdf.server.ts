// the default export, because the bundle declares createRequire itself and Rollup would restore that name
import nodeModule from 'node:module';
import { Readable } from 'node:stream';
import type { ReceiptText } from './receipt-lines';
import { type RunFont, textRuns } from './text-runs';

const FONTS: Record<RunFont, string> = {
  latin: '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff',
  'latin-ext': '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff',
  greek: '@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff',
  cyrillic: '@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff',
  arabic: '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff',
  hebrew: '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff',
};
const MARGIN = 56;
const LABELS = 120;
const SIZES = { title: 22, text: 10.5 } as const;

type Document = PDFKit.PDFDocument;

/** A receipt on A4. The library is loaded with the first one. */
export async function receiptPdf(text: ReceiptText, language: string): Promise<ReadableStream<Uint8Array>> {
  const { default: PdfDocument } = await import('pdfkit');
  const info = { Title: text.title, Creator: 'Altavoz' };
  // the bundle does not have the library's default font
  const options = { size: 'A4', margin: MARGIN, info, lang: language, displayTitle: true, font: '' };
  const doc = new PdfDocument(options);
  const { resolve } = nodeModule.createRequire(import.meta.url);
  for (const [name, file] of Object.entries(FONTS)) doc.registerFont(name, resolve(file));
  const stream = Readable.toWeb(doc as unknown as Readable) as ReadableStream<Uint8Array>;
  writeText(doc, text);
  doc.end();
  return stream;
}

function writeText(doc: Document, { title, facts, amounts, note }: ReceiptText): void {
  doc.fontSize(SIZES.title);
  writeRuns(doc, title, MARGIN);
  doc.moveDown(1).fontSize(SIZES.text);
  for (const { label, lines } of facts) {
    const top = doc.y;
    writeRuns(doc, label, MARGIN);
    doc.y = top;
    for (const line of lines) writeRuns(doc, line, MARGIN + LABELS);
    doc.moveDown(0.6);
  }
  doc.moveDown(0.6);
  for (const line of amounts) writeAmount(doc, line);
  doc.moveDown(2);
  writeRuns(doc, note, MARGIN);
}

function writeAmount(doc: Document, { label, amount, isTotal }: ReceiptText['amounts'][number]): void {
  const right = doc.page.width - MARGIN;
  const top = doc.y + (isTotal ? 6 : 0);
  if (isTotal) doc.moveTo(MARGIN, doc.y).lineTo(right, doc.y).lineWidth(0.5).stroke();
  doc.y = top;
  writeRuns(doc, label, MARGIN);
  const after = doc.y;
  const width = doc.font('latin').widthOfString(amount);
  doc.text(amount, right - width, top, { lineBreak: false });
  doc.y = after + 4;
}

function writeRuns(doc: Document, text: string, left: number): void {
  const runs = textRuns(text);
  const width = doc.page.width - MARGIN - left;
  doc.x = left;
  for (const [index, run] of runs.entries()) {
    const options = { width, continued: index < runs.length - 1 };
    doc.font(run.font);
    if (index === 0) doc.text(run.text, left, doc.y, options);
    else doc.text(run.text, options);
  }
}
