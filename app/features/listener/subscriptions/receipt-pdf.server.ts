import fs from 'node:fs';
// the default export, because the bundle declares createRequire itself and Rollup would restore that name
import nodeModule from 'node:module';
import { Readable } from 'node:stream';
import type { ReceiptText } from './receipt-lines';
import { type RunFont, textRuns } from './text-runs';
import { unpackFont } from './unpack-font.server';

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
const SIZES = { title: 22, text: 10.5, table: 8 } as const;
const GAP = 4;

export type Document = PDFKit.PDFDocument;

type File = { text: ReceiptText; language: string };

/** Responds with a receipt, an invoice or a statement as a PDF file. */
export async function pdfResponse(fileName: string, { text, language }: File): Promise<Response> {
  return pdfFile(fileName, await receiptPdf(text, language));
}

export function pdfFile(fileName: string, content: ReadableStream<Uint8Array>): Response {
  return new Response(content, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  });
}

let unpacked: [name: string, font: Buffer][] | null = null;

/** Read with the first document: together they have half a megabyte. */
function fonts() {
  const { resolve } = nodeModule.createRequire(import.meta.url);
  unpacked ??= Object.entries(FONTS).map(([name, file]) => [name, unpackFont(fs.readFileSync(resolve(file)))]);
  return unpacked;
}

/** Renders an A4 page. */
export const receiptPdf = (text: ReceiptText, language: string): Promise<ReadableStream<Uint8Array>> =>
  drawPdf({ title: text.title, language, margin: MARGIN }, (doc) => writeText(doc, text));

type Frame = { title: string; language: string; margin: number };

/** Makes a file of A4 pages. The PDF library loads with the first one. */
export async function drawPdf(
  { title, language, margin }: Frame,
  draw: (doc: Document) => void,
): Promise<ReadableStream<Uint8Array>> {
  const { default: PdfDocument } = await import('pdfkit');
  const info = { Title: title, Creator: 'Altavoz' };
  // the bundle lacks the library's default font
  const options = { size: 'A4', margin, info, lang: language, displayTitle: true, font: '' };
  const doc = new PdfDocument(options);
  for (const [name, font] of fonts()) doc.registerFont(name, font);
  const stream = Readable.toWeb(doc as unknown as Readable) as ReadableStream<Uint8Array>;
  draw(doc);
  doc.end();
  return stream;
}

function writeText(doc: Document, { title, facts, amounts, table, note }: ReceiptText): void {
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
  if (table) writeTable(doc, table);
  doc.moveDown(2);
  writeRuns(doc, note, MARGIN);
}

/** The left edges of the columns: the day, the description, and four amounts, which end at the next edge. */
const EDGES = [MARGIN, 112, 300, 362, 416, 476, 539];

function writeTable(doc: Document, { columns, rows }: NonNullable<ReceiptText['table']>): void {
  doc.moveDown(2).fontSize(SIZES.table);
  for (const row of [columns, ...rows]) writeRow(doc, row);
  doc.fontSize(SIZES.text);
}

function writeRow(doc: Document, row: string[]): void {
  const bottom = doc.page.height - MARGIN;
  const [first = '', what = '', ...amounts] = row;
  const room = EDGES[2]! - EDGES[1]! - GAP;
  if (doc.y + doc.font('latin').heightOfString(what, { width: room }) > bottom) doc.addPage();
  const top = doc.y;
  writeRuns(doc, first, EDGES[0]!);
  doc.y = top;
  writeRuns(doc, what, EDGES[1]!, room);
  const after = doc.y;
  for (const [index, amount] of amounts.entries()) {
    const right = EDGES[index + 3]!;
    const width = doc.font('latin').widthOfString(amount);
    doc.text(amount, right - width, top, { lineBreak: false });
  }
  doc.y = after + GAP;
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

function writeRuns(doc: Document, text: string, left: number, width = doc.page.width - MARGIN - left): void {
  const runs = textRuns(text);
  doc.x = left;
  for (const [index, run] of runs.entries()) {
    const options = { width, continued: index < runs.length - 1 };
    doc.font(run.font);
    if (index === 0) doc.text(run.text, left, doc.y, options);
    else doc.text(run.text, options);
  }
}
