import { afterEach, expect, test, vi } from 'vitest';
import { readRecord } from '~/app/features/studio/upload/upload-record';

const NOW = Date.UTC(2026, 0, 2);
const RECORD = {
  key: 'promos/1/a.mp3',
  endpoint: '/uploads/tus',
  url: null,
  name: 'a.mp3',
  size: 1000,
  fingerprint: 'f',
  startedAt: NOW - 1000,
  done: true,
};

afterEach(() => vi.unstubAllGlobals());

function read(stored: string | null) {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'upload:2:promo-28:promoKey' ? stored : null) });
  return readRecord('2:promo-28:promoKey', NOW);
}

test('a stored upload is read back', () => {
  expect(read(JSON.stringify(RECORD))).toEqual(RECORD);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['no key', JSON.stringify({ ...RECORD, key: undefined })],
  ['a name that is no text', JSON.stringify({ ...RECORD, name: 3 })],
  ['no time', JSON.stringify({ ...RECORD, startedAt: null })],
  ['an older upload', JSON.stringify({ ...RECORD, startedAt: NOW - 25 * 60 * 60 * 1000 })],
])('%s in the storage is no upload', (_, stored) => {
  expect(read(stored)).toBeNull();
});
