import fs from 'node:fs';
import { expect, test } from 'vitest';

/** Spreads whose types contain no status. */
const OWN_FIELDS_ONLY =
  /\.\.\.(?:pick\(input, EPISODE_COLUMNS\)|dismissed\(current\)|NO_FAILURE|NO_REPLACEMENT|NOT_CHECKING|checked|file|failure)(?=[,\s])/g;
const UPDATE = /\.update\((?:\w+\.)?episodes\)/g;
const INSERT = /\.insert\((?:\w+\.)?episodes\)/;
const RAW_WRITE =
  /\b(?:insert\s+into|merge\s+into|update)\s+(?:only\s+)?(?:\$\{(?:\w+\.)?episodes\}|"?episodes"?(?!\w))/i;

/** The text from an opening bracket to the closing one. */
function bracketed(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ('([{'.includes(text[at]!)) depth += 1;
    if (')]}'.includes(text[at]!)) depth -= 1;
    if (depth === 0) return text.slice(open, at + 1);
  }
  return text.slice(open);
}

/**
 * Whether an update can't write the status: its values are a literal without the status and without unknown spreads.
 */
function isHarmlessUpdate(text: string, end: number): boolean {
  const set = /^\s*\.set\(/.exec(text.slice(end));
  if (!set) return false;
  const values = bracketed(text, end + set[0].length - 1)
    .slice(1, -1)
    .trim();
  const rest = values.replaceAll(OWN_FIELDS_ONLY, '');
  return values.startsWith('{') && !rest.includes('...') && !/\bstatus\b|\[/.test(rest);
}

/**
 * Whether source code may write the status of an episode. Unknown values count as the status, and so does every insert.
 */
function mayWriteStatus(text: string): boolean {
  if (INSERT.test(text) || RAW_WRITE.test(text)) return true;
  return [...text.matchAll(UPDATE)].some(({ 0: call, index }) => !isHarmlessUpdate(text, index + call.length));
}

test('only transitions.ts writes the status of an episode', () => {
  const files = ['server', 'jobs'].flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file)),
  );

  const writers = files.filter((file) => mayWriteStatus(fs.readFileSync(file, 'utf8')));

  expect(writers).toEqual(['server/domain/episodes/transitions.ts']);
});

test.each([
  "tx.db.update(episodes).set({ releaseAt, status: 'published' })",
  'tx.db.update(episodes).set(values)',
  'tx.db.update(episodes).set({ ...values, releaseAt })',
  'tx.db.update(episodes).set({ [column]: value })',
  "tx.db\n  .update(schema.episodes)\n  .set({ a: sql`f({})`, status: 'failed' })",
  'const change = tx.db.update(episodes);',
  'tx.db.insert(episodes).values(rows)',
  "sql`update episodes set status = 'published'`",
  `sql\`update \${episodes} set status = 'published'\``,
  'sql`insert into episodes (status) select x`',
])('the check finds %s', (text) => {
  expect(mayWriteStatus(text)).toBe(true);
});

test.each([
  'tx.db.update(episodes).set({ releaseAt }).where(eq(episodes.status, status))',
  'tx.db.update(episodes).set({ ...pick(input, EPISODE_COLUMNS), coverKey })',
  'tx.db.update(products).set(values)',
  'sql`update episodes_archive set name = 1`',
])('the check allows %s', (text) => {
  expect(mayWriteStatus(text)).toBe(false);
});
