import { expect, test } from 'vitest';
import { keyAction } from '~/app/features/listener/player/keys';
import { commandsOf, matching } from '~/app/features/studio/studio/commands';
import { isModified, opensSearch, SHORTCUTS, shortcutOf } from '~/app/features/studio/studio/shortcuts';
import { pathsIn } from '~/app/lib/paths';
import type { Studio } from '~/app/lib/studio-context';
import { type Role, roleMay } from '~/server/policy/roles';

test.each([
  [null, '?', 'help'],
  [null, '/', 'list'],
  [null, 'n', 'newEpisode'],
  ['g', 'h', 'home'],
  ['g', 'p', 'products'],
  ['g', 'c', 'calendar'],
  ['g', 't', 'team'],
  ['g', 's', 'settings'],
  ['g', '?', 'help'],
  ['x', 'h', null],
  [null, 'h', null],
  [null, 'g', null],
  ['g', 'H', null],
  ['g', 'g', null],
])('after %s, the key %s is the shortcut %s', (before, key, shortcut) => {
  expect(shortcutOf(before, key)).toBe(shortcut);
});

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  [{ key: 'k', ctrlKey: true }, true],
  [{ key: 'K', metaKey: true }, true],
  [{ key: 'k' }, false],
  [{ key: 'k', ctrlKey: true, metaKey: true }, false],
  [{ key: 'k', ctrlKey: true, shiftKey: true }, false],
  [{ key: 'k', ctrlKey: true, altKey: true }, false],
])('%j opens the search: %s', (pressed, isOpening) => {
  expect(opensSearch({ ...NO_MODIFIERS, ...pressed })).toBe(isOpening);
});

test('shift is part of some keys, other modifiers belong to the browser', () => {
  expect(isModified({ ...NO_MODIFIERS, key: '?', shiftKey: true })).toBe(false);
  for (const name of ['ctrlKey', 'metaKey', 'altKey'])
    expect(isModified({ ...NO_MODIFIERS, key: 'n', [name]: true })).toBe(true);
});

test('no shortcut is a key of the player', () => {
  const place = { modified: false, tag: 'BODY', editable: false, role: null };
  for (const key of Object.values(SHORTCUTS).flat())
    expect([true, false].map((inPlayer) => keyAction({ ...place, key, inPlayer }))).toEqual([null, null]);
});

const studio = {
  user: { creator: { url: 'https://lucia.example' } },
  products: [{ id: 7, kind: 'podcast', name: 'Olas Ágiles', picture: '' }],
} as unknown as Studio;

const commands = (role: Role) =>
  commandsOf({
    studio,
    may: (ability) => roleMay(role, ability),
    paths: pathsIn('/es'),
    t: (key, values) => `${key} ${values?.name ?? ''}`,
  });

test.each([
  ['owner', ['new-7', 'createProduct', 'calendar', 'creatorPage'], []],
  ['editor', ['new-7', 'createProduct', 'calendar', 'creatorPage'], []],
  ['analyst', ['calendar'], ['new-7', 'createProduct', 'creatorPage']],
  ['finance', ['products', 'billing'], ['new-7', 'createProduct', 'calendar', 'creatorPage']],
] as const)('%s finds the actions of their role', (role, some, none) => {
  const ids = commands(role).map(({ id }) => id);

  expect(ids).toEqual(expect.arrayContaining([...some, 'dashboard', 'team', 'shortcuts']));
  expect(ids.filter((id) => (none as readonly string[]).includes(id))).toEqual([]);
});

test('actions are found by all words, whatever their case and accents', () => {
  const found = (words: string) => matching(commands('owner'), words).map(({ id, to }) => [id, to]);

  expect(found('AGILES  olas')).toEqual([['new-7', '/es/podcasts/7/episodes/create']]);
  expect(found('olas nothing')).toEqual([]);
});
