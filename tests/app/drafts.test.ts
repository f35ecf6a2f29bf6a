import { expect, test } from 'vitest';
import { draftKey, readDraft, removeOldDrafts, writeDraft } from '~/app/features/studio/drafts/draft-store';
import { DAYS } from '~/server/base/time';

const NOW = Date.UTC(2026, 10, 21);

function memory(full = false): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (full) throw new Error('quota');
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

test('a draft stores only the values that differ from the initial ones', () => {
  const store = memory();

  writeDraft(store, 'draft:1:x', { name: 'Typed', kind: 'podcast' }, { name: '', kind: 'podcast' }, NOW);

  expect(readDraft(store, 'draft:1:x', NOW)).toEqual({ values: { name: 'Typed' }, savedAt: NOW });
});

test('a form with its initial values has no draft', () => {
  const store = memory();
  writeDraft(store, 'draft:1:x', { name: 'Typed' }, { name: '' }, NOW);

  writeDraft(store, 'draft:1:x', { name: '' }, { name: '' }, NOW);

  expect(readDraft(store, 'draft:1:x', NOW)).toBeNull();
});

test('a cleared text counts as a change', () => {
  const store = memory();

  writeDraft(store, 'draft:1:x', { note: '' }, { note: 'Old note' }, NOW);

  expect(readDraft(store, 'draft:1:x', NOW)?.values).toEqual({ note: '' });
});

test('two users of one browser never see each other’s drafts', () => {
  expect(draftKey(1, 'episode-create-7')).not.toBe(draftKey(2, 'episode-create-7'));
});

test('a draft expires after thirty days', () => {
  const store = memory();
  writeDraft(store, 'draft:1:old', { name: 'a' }, {}, NOW - DAYS(31));
  writeDraft(store, 'draft:1:new', { name: 'b' }, {}, NOW - DAYS(2));
  store.setItem('other', 'stays');

  removeOldDrafts(store, NOW);

  expect(readDraft(store, 'draft:1:old', NOW)).toBeNull();
  expect([store.getItem('draft:1:old'), store.getItem('other')]).toEqual([null, 'stays']);
  expect(readDraft(store, 'draft:1:new', NOW)?.values).toEqual({ name: 'b' });
});

test('full or unreadable storage loses the draft without an error', () => {
  const broken = memory();
  broken.setItem('draft:1:x', '{"values":');

  expect(writeDraft(memory(true), 'draft:1:x', { name: 'a' }, {}, NOW)).toBe(false);
  expect(readDraft(broken, 'draft:1:x', NOW)).toBeNull();
});
