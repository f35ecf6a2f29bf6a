import { expect, test } from 'vitest';
import { reportPdf } from '~/app/features/studio/statistics/report-pdf.server';
import type { ReportPart } from '~/server/domain/statistics/report-text';

const PART: ReportPart = {
  title:
    'مذكرات البحر الأزرق 🌊 y otras historias del mar que tienen un título demasiado largo para una sola línea de la página',
  figures: [{ label: 'Plays', value: '1,234' }],
  sentences: ['The most played episode was “رحلة إلى البحر 🎙️”, with 40 plays.', 'Łódź and Αθήνα.'],
  chart: {
    title: 'Plays by day',
    labels: Array.from({ length: 31 }, (_, i) => String(i + 1)),
    values: Array.from({ length: 31 }, (_, i) => (i * 7) % 40),
    before: Array.from({ length: 30 }, (_, i) => (i * 5) % 30),
    legend: ['October 2026', 'September 2026'],
  },
  bars: [{ title: 'Countries', rows: [{ name: 'Spain', text: '12', value: 12 }] }],
};

const report = (parts: ReportPart[]) => ({
  report: { month: '2026-10', title: 'Report for October 2026', creator: 'Lucía', parts, note: 'Note.' },
  language: 'en',
  formatNumber: String,
});

const written = async (parts: ReportPart[]) =>
  Buffer.from(await new Response(await reportPdf(report(parts))).arrayBuffer()).toString('latin1');

test('a report is a complete document in the fonts of its scripts', async () => {
  const text = await written([PART]);

  expect(text.startsWith('%PDF-1.')).toBe(true);
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(text).toMatch(/NotoSans.*Arab/);
});

test('the parts of many shows continue on further pages, and none is cut', async () => {
  const text = await written([{ ...PART, title: null }, ...Array.from({ length: 20 }, () => PART)]);

  expect(text.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(7);
});

test('a month without plays has a chart without a line above zero', async () => {
  const empty = { ...PART, chart: { ...PART.chart!, values: PART.chart!.values.map(() => 0), before: [] }, bars: [] };

  expect(await written([empty])).toContain('%%EOF');
});
