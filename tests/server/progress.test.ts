import { afterEach, expect, test, vi } from 'vitest';
import { showProgress } from '~/server/runtime/progress';
import type { Log } from '~/server/watching/log';

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

/** The output and the log for 144 steps. */
function show(isTerminal: boolean) {
  process.stdout.isTTY = isTerminal;
  const lines: unknown[] = [];
  const log = { info: (facts: object, text: string) => void lines.push({ ...facts, text }) } as unknown as Log;
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const onProgress = showProgress(log, 'The demo is being prepared');
  for (let done = 0; done <= 144; done += 1) onProgress(done, 144);
  return { lines, written: written.mock.calls.map(([text]) => String(text)) };
}

test('a log gets five lines about the demo', () => {
  const { lines, written } = show(false);

  const text = 'creating the demo';
  expect(lines).toEqual([0, 36, 72, 108, 144].map((done) => ({ done, total: 144, text })));
  expect(written).toEqual([]);
});

test('a terminal gets one line, which is rewritten and at last removed', () => {
  const { lines, written } = show(true);

  expect(lines).toEqual([]);
  expect(written.join('')).not.toContain('\n');
  expect(written[1]).toBe('\r\x1b[KThe demo is being prepared: 1 of 144 steps\r');
  expect(written.at(-1)).toBe('\r\x1b[K');
});
