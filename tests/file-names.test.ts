import { expect, test } from 'vitest';
import { ROOMS } from './rooms';
import { code, roomOf } from './support/sources';

/** The files that any room may have. */
const ROOM_FILES = ['schema', 'rules', 'kinds', 'errors', 'queries', 'views'];
const BANNED = /(?:^|[/-])(?:helpers?|utils?|common|misc|services?|managers?|index)\.tsx?$/;

test('every room has its place in the order, and only files of its vocabulary', () => {
  const files = code.flatMap(({ file }) => {
    const room = roomOf(file);
    return room ? [{ room, name: file.slice(`server/domain/${room}/`.length).replace(/\.tsx?$/, '') }] : [];
  });
  const unknown = files.filter(({ room, name }) => !ROOMS[room] || ![...ROOM_FILES, ...ROOMS[room]].includes(name));
  const missing = Object.entries(ROOMS).flatMap(([room, names]) =>
    names
      .filter((name) => !files.some((file) => file.room === room && file.name === name))
      .map((name) => ({ room, name })),
  );
  const written = (list: typeof files) => list.map(({ room, name }) => `server/domain/${room}/${name}.ts`);

  expect(written(unknown), 'not in ROOMS').toEqual([]);
  expect(written(missing), 'listed in ROOMS only').toEqual([]);
});

test('no two rooms have a file of the same name', () => {
  const rooms = new Map<string, string[]>();
  for (const { file } of code) {
    const room = roomOf(file);
    if (!room) continue;
    const name = file.slice(`server/domain/${room}/`.length).replace(/\.tsx?$/, '');
    if (!ROOM_FILES.includes(name)) rooms.set(name, [...(rooms.get(name) ?? []), room]);
  }
  const shared = [...rooms]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.join(', ')}`);

  expect(rooms.size).toBeGreaterThan(100);
  expect(shared, "name the file by verb and object: 'erase-payouts'").toEqual([]);
});

test('no two features have a file of the same name', () => {
  const names = code.flatMap(({ file }) => /^app\/features\/.+\/([^/]+)$/.exec(file)?.[1] ?? []);

  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('no file has a name that says nothing', () => {
  const files = code.map(({ file }) => file).filter((file) => file !== 'db/schema/index.ts');

  expect(files.filter((file) => BANNED.test(file))).toEqual([]);
});
