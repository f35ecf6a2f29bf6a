import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOTICE_FILES } from '~/server/domain/feeds/notices';

/** Bytes per millisecond of the files, which have a constant bit rate of 32 kbit/s. */
const BYTES_PER_MS = 4;
const MAX_BYTES = 60_000;

const files = Object.entries(NOTICE_FILES).flatMap(([reason, languages]) =>
  Object.entries(languages).map(([language, file]) => ({ name: `notice-${reason}-${language}.mp3`, ...file })),
);

test.each(files)('$name is as long as feeds say, and small', ({ name, bytes, durationMs }) => {
  const content = readFileSync(`public/${name}`);

  expect(content.length).toBe(bytes);
  expect(bytes).toBeLessThan(MAX_BYTES);
  expect(Math.abs(bytes / BYTES_PER_MS - durationMs)).toBeLessThan(250);
});
