import {
  areaPath,
  fittingLabels,
  heightOf,
  middleOf,
  niceTicks,
  pathOf,
  pointsOf,
} from '~/app/components/charts/scale';
import { type Document, drawPdf } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import type { ReportPart, ReportText } from '~/server/domain/statistics/report-text';
import { drawLine, drawLines, lineHeight } from './pdf-lines.server';

const MARGIN = 48;
const WIDTH = 499;
const COLORS = {
  ink: '#15131D',
  soft: '#3A3648',
  muted: '#645F73',
  line: '#E5E0D8',
  coral: '#C93A27',
  pale: '#FFE7E1',
};
const CHART = { width: WIDTH, height: 92 };
const SIZES = { title: 24, show: 16, value: 20, text: 10.5, small: 8.5 };
const FIGURES_PER_ROW = 4;
const BAR = { row: 26, height: 4, gap: 24 };

type Asked = { report: ReportText; language: string; formatNumber: (value: number) => string };

/** The monthly report as a file: a part for all shows together, and one for each show. */
export function reportPdf({ report, language, formatNumber }: Asked): Promise<ReadableStream<Uint8Array>> {
  return drawPdf({ title: `${report.title} · ${report.creator}`, language, margin: MARGIN }, (doc) => {
    doc.fillColor(COLORS.coral).rect(MARGIN, MARGIN, 32, 4).fill();
    doc.y = MARGIN + 16;
    write(doc, report.title, { size: SIZES.title, color: COLORS.ink });
    write(doc, report.creator, { size: SIZES.text, color: COLORS.muted });
    doc.y += 10;
    for (const part of report.parts) drawPart(doc, part, formatNumber);
    keepTogether(doc, 40);
    doc.y += 6;
    write(doc, report.note, { size: SIZES.small, color: COLORS.muted });
  });
}

type Style = { size: number; color: string };

function write(doc: Document, text: string, { size, color }: Style): void {
  doc.fillColor(color).fontSize(size);
  doc.y = drawLines(doc, text, { x: MARGIN, y: doc.y, width: WIDTH });
}

/** Begins a new page if the next lines would be cut. */
function keepTogether(doc: Document, height: number): void {
  if (doc.y + height > doc.page.height - MARGIN) doc.addPage();
}

function drawPart(doc: Document, part: ReportPart, formatNumber: Asked['formatNumber']): void {
  if (part.title !== null) {
    keepTogether(doc, part.chart ? 330 : 160);
    doc.y += 14;
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + WIDTH, doc.y)
      .lineWidth(0.5)
      .stroke(COLORS.line);
    doc.y += 12;
    write(doc, part.title, { size: SIZES.show, color: COLORS.ink });
    doc.y += 4;
  }
  drawFigures(doc, part.figures);
  if (part.chart) drawChart(doc, part.chart, formatNumber);
  for (const sentence of part.sentences) {
    keepTogether(doc, 2 * lineHeight(doc, SIZES.text));
    write(doc, sentence, { size: SIZES.text, color: COLORS.soft });
    doc.y += 2;
  }
  if (part.bars.length > 0) drawBars(doc, part.bars);
}

function drawFigures(doc: Document, figures: ReportPart['figures']): void {
  const step = WIDTH / FIGURES_PER_ROW;
  const row = 11 + lineHeight(doc, SIZES.value) + 8;
  const top = doc.y + 4;
  for (const [i, { label, value }] of figures.entries()) {
    const x = MARGIN + (i % FIGURES_PER_ROW) * step;
    const y = top + Math.floor(i / FIGURES_PER_ROW) * row;
    doc.fontSize(SIZES.small).fillColor(COLORS.muted);
    drawLine(doc, label, { x, y, width: step - 8 });
    doc.fontSize(SIZES.value).fillColor(COLORS.ink);
    drawLine(doc, value, { x, y: y + 11, width: step - 8 });
  }
  doc.y = top + Math.max(1, Math.ceil(figures.length / FIGURES_PER_ROW)) * row;
}

/** The same line as on the page: the month with its area, and the month before dashed. */
function drawChart(doc: Document, chart: NonNullable<ReportPart['chart']>, formatNumber: Asked['formatNumber']): void {
  keepTogether(doc, CHART.height + 56);
  const { values, before, labels } = chart;
  const compared = before.length > 0 ? values.map((_, i) => before[i] ?? 0) : [];
  const ticks = niceTicks(Math.max(0, ...values, ...compared));
  const top = ticks.at(-1) ?? 1;
  drawLegend(doc, chart);
  const y = doc.y + 18;
  doc.save().translate(MARGIN, y);
  for (const tick of ticks) {
    const at = heightOf(tick, top, CHART.height);
    doc.moveTo(0, at).lineTo(WIDTH, at).lineWidth(0.5).stroke(COLORS.line);
  }
  doc.path(areaPath(values, top, CHART)).fill(COLORS.pale);
  if (compared.length > 0)
    doc
      .path(pathOf(pointsOf(compared, top, CHART)))
      .dash(3, { space: 3 })
      .lineWidth(1)
      .stroke(COLORS.muted)
      .undash();
  doc
    .path(pathOf(pointsOf(values, top, CHART)))
    .lineWidth(1.5)
    .lineJoin('round')
    .stroke(COLORS.coral);
  doc.fontSize(SIZES.small).fillColor(COLORS.muted);
  for (const tick of ticks.slice(1))
    drawLine(doc, formatNumber(tick), { x: 0, y: heightOf(tick, top, CHART.height) - 11, width: 80 });
  for (const { index } of fittingLabels(labels.length))
    drawLine(doc, labels[index] ?? '', {
      x: (middleOf(index, labels.length) / 100) * WIDTH - 4,
      y: CHART.height + 3,
      width: 48,
    });
  doc.restore();
  doc.y = y + CHART.height + 22;
}

function drawLegend(doc: Document, { title, legend }: NonNullable<ReportPart['chart']>): void {
  const y = doc.y;
  doc.fontSize(SIZES.small).fillColor(COLORS.soft);
  let x = drawLine(doc, title, { x: MARGIN, y, width: 160 }) + 16;
  for (const [i, name] of legend.entries()) {
    const isBefore = i > 0;
    doc
      .moveTo(x, y + 6)
      .lineTo(x + 16, y + 6)
      .lineWidth(isBefore ? 1 : 1.5);
    if (isBefore) doc.dash(3, { space: 3 });
    doc.stroke(isBefore ? COLORS.muted : COLORS.coral).undash();
    x = drawLine(doc, name, { x: x + 21, y, width: 120 }) + 14;
  }
  doc.y = y + lineHeight(doc, SIZES.small);
}

/** Lists beside each other, each with a bar below its names. */
function drawBars(doc: Document, lists: ReportPart['bars']): void {
  const rows = Math.max(...lists.map((list) => list.rows.length));
  keepTogether(doc, 30 + rows * BAR.row);
  const top = doc.y + 10;
  const width = (WIDTH - BAR.gap * (lists.length - 1)) / lists.length;
  for (const [i, list] of lists.entries()) {
    const box = { x: MARGIN + i * (width + BAR.gap), y: top, width };
    doc.fontSize(SIZES.text).fillColor(COLORS.ink);
    drawLine(doc, list.title, box);
    for (const [row, bar] of list.rows.entries()) {
      const largest = Math.max(1, ...list.rows.map(({ value }) => value));
      drawBar(doc, bar, { ...box, y: top + 18 + row * BAR.row, share: bar.value / largest });
    }
  }
  doc.y = top + 18 + rows * BAR.row + 4;
}

type BarBox = { x: number; y: number; width: number; share: number };

function drawBar(doc: Document, { name, text }: ReportPart['bars'][number]['rows'][number], box: BarBox): void {
  const { x, y, width, share } = box;
  doc.fontSize(SIZES.small).fillColor(COLORS.soft);
  drawLine(doc, name, { x, y, width: width - 56 });
  const used = doc.font('latin').widthOfString(text);
  drawLine(doc, text, { x: x + width - used, y, width: used + 1 });
  doc.roundedRect(x, y + 13, width, BAR.height, 2).fill(COLORS.line);
  if (share > 0) doc.roundedRect(x, y + 13, Math.max(3, share * width), BAR.height, 2).fill(COLORS.coral);
}
