import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CONTENT_LIMITS } from '~/server/limits/content';
import { openContent } from '~/server/runtime/content-folders';
import { createLog, type Log } from '~/server/watching/log';

const FRONT = '---\ntitle: A page\ndescription: About it.\n---\n\n';

async function folder(files: Record<string, string | Buffer>): Promise<string> {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-content-'));
  onTestFinished(() => fs.rm(root, { recursive: true, force: true }));
  await Promise.all(Object.entries(files).map(([name, text]) => write(root, name, text)));
  return root;
}

async function write(root: string, name: string, text: string | Buffer) {
  const file = path.join(root, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, text);
}

const page = (text: string) => ({ 'en/pages/about.md': FRONT + text, 'es/pages/about.md': FRONT + text });

function loggedWarnings(): { log: Log; warnings: unknown[] } {
  const warnings: unknown[] = [];
  const log = createLog('silent');
  return {
    log: {
      ...log,
      info: () => {},
      warn: (facts: unknown) => void warnings.push(facts),
      error: (facts: unknown) => void warnings.push(facts),
    } as unknown as Log,
    warnings,
  };
}

test("the operator's files replace ours of the same name, and broken ones are named in the log", async () => {
  const ours = await folder(page('Ours.'));
  const theirs = await folder({
    'en/pages/about.md': `${FRONT}Theirs.`,
    'en/pages/Bad Name.md': FRONT,
    'en/pages/notes.txt': 'a',
    'en/pages/latin.md': Buffer.from([0x2d, 0xff, 0xfe]),
    'en/pages/large.md': 'a'.repeat(CONTENT_LIMITS.fileBytes + 1),
    'en/pages/.hidden.md': 'broken',
    'en/unknown/a.md': 'broken',
  });
  const { log, warnings } = loggedWarnings();

  const { entries } = await openContent({ folders: [ours, theirs], log }).library();

  expect(entries.map(({ language, text }) => [language, text])).toEqual([
    ['en', 'Theirs.'],
    ['es', 'Ours.'],
  ]);
  const named = warnings.map((warning) => path.basename((warning as { file: string }).file));
  expect(named.sort()).toEqual(['Bad Name.md', 'large.md', 'latin.md', 'notes.txt']);
});

test('pictures have their sizes, and a file that is no picture is reported', async () => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const ours = await folder({ ...page('![A wall](wall.png)'), 'pictures/wall.png': bytes, 'pictures/no.png': 'text' });

  const { entries, pictures, problems } = await openContent({ folders: [ours], log: createLog('silent') }).library();

  expect(entries[0]!.html).toContain('width="30" height="20"');
  expect([...pictures.keys()]).toEqual(['wall.png']);
  expect(problems.map(({ file }) => path.basename(file))).toEqual(['no.png']);
});

test('changes are noticed while the process runs, and only changes', async () => {
  const theirs = await folder(page('First.'));
  const content = openContent({ folders: [theirs], log: createLog('silent'), checkedEvery: 5 });
  const onChange = vi.fn();
  onTestFinished(content.watch(onChange));
  const texts = async () => (await content.library()).entries.map(({ text }) => text);

  expect(await texts()).toEqual(['First.', 'First.']);
  await write(theirs, 'en/pages/about.md', `${FRONT}Second, longer.`);
  await vi.waitFor(async () => expect(await texts()).toEqual(['Second, longer.', 'First.']));
  await fs.rm(path.join(theirs, 'es'), { recursive: true });
  await vi.waitFor(async () => expect(await texts()).toEqual(['Second, longer.']));

  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
});

test('an operator’s folder that cannot be read at the start leaves ours in use', async () => {
  const [ours, theirs] = [await folder(page('Ours.')), await folder({})];
  const { log, warnings } = loggedWarnings();
  // a link that leads to itself
  await fs.symlink('en', path.join(theirs, 'en'));

  const { entries } = await openContent({ folders: [ours, theirs], log }).library();

  expect(entries.map(({ text }) => text)).toEqual(['Ours.', 'Ours.']);
  expect(warnings).toEqual([expect.objectContaining({ file: theirs })]);
});

test('a folder that cannot be read leaves the last texts in use', async () => {
  const theirs = await folder(page('First.'));
  const { log, warnings } = loggedWarnings();
  const content = openContent({ folders: [theirs], log, checkedEvery: 5 });
  const onChange = vi.fn();
  onTestFinished(content.watch(onChange));
  await content.library();

  // a link that leads to itself
  await fs.rm(path.join(theirs, 'en/pages'), { recursive: true });
  await fs.symlink('pages', path.join(theirs, 'en/pages'));
  await vi.waitFor(() => expect(warnings.length).toBeGreaterThan(0));

  expect((await content.library()).entries).toHaveLength(2);
  expect(onChange).not.toHaveBeenCalled();
});
