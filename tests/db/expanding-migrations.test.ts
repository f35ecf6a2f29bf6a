import fs from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'db/migrations';
/**
 * While processes restart one after the other, the former release runs on the new tables, and an operator may return to
 * it. So a migration only adds columns and tables that the former release may ignore. A removal belongs to the next
 * release, and is listed here with the release that stopped using the column (docs/decisions/0257).
 */
const ALLOWED: Record<string, string> = {
  '0093_operator_refusals restricts referrals': 'the new check allows one reason more',
  '0064_recommended_episodes restricts recommendations':
    'the former release leaves the default, which the check allows',
  '0056_newsletter_recommendations restricts contact_sources': 'the new check allows one source more',
  '0016_notes_of_disputes makes unique credit_notes': 'the former release leaves the new column empty',
};

const name = `"?(?:\\w+"?\\.)?"?(\\w+)"?`;
const RULES: [RegExp, string][] = [
  [/\bdrop\s+table\s+(?:if\s+exists\s+)?"?(\w+)"?/i, 'drops the table'],
  [/\bdrop\s+column\s+(?:if\s+exists\s+)?"?(\w+)"?/i, 'drops'],
  [/\balter\s+(?:table|column|index|type)\b.*\brename\s+(?:column\s+|to\s+)?"?(\w+)"?/is, 'renames'],
  [/\balter\s+column\s+"?(\w+)"?\s+(?:set\s+data\s+)?type\b/i, 'changes the type of'],
  [/\balter\s+column\s+"?(\w+)"?\s+set\s+not\s+null\b/i, 'requires'],
  [/\balter\s+column\s+"?(\w+)"?\s+drop\s+default\b/i, 'drops the default of'],
  [/\badd\s+column\s+"?(\w+)"?(?=[^;,]*\bnot\s+null\b)(?![^;,]*\b(?:default|generated)\b)/i, 'adds without a default'],
];
const CONDITIONS: [RegExp, string][] = [
  [
    new RegExp(`\\balter\\s+table\\s+${name}\\s+add\\s+constraint\\s.*\\b(?:check|unique|exclude)\\b`, 'is'),
    'restricts',
  ],
  [new RegExp(`\\bcreate\\s+unique\\s+index\\b.*?\\son\\s+(?:only\\s+)?${name}`, 'is'), 'makes unique'],
];

/** Statements of a migration that break the former release. */
function breaking(tag: string, text: string): string[] {
  const statements = text.replace(/--(?!>).*$/gm, '').split(/--> statement-breakpoint|;\s*$/m);
  const created = new Set(
    [...text.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi)].map(([, t]) => t),
  );
  return statements.flatMap((statement) => {
    const target = /\balter\s+table\s+(?:only\s+)?"?(\w+)"?/i.exec(statement)?.[1];
    if (target !== undefined && created.has(target)) return [];
    const found = RULES.flatMap(([pattern, what]) => describe(tag, what, pattern.exec(statement)?.[1]));
    const conditions = CONDITIONS.flatMap(([pattern, what]) => {
      const table = pattern.exec(statement)?.[1];
      return table !== undefined && created.has(table) ? [] : describe(tag, what, table);
    });
    return [...found, ...conditions];
  });
}

function describe(tag: string, what: string, subject: string | undefined): string[] {
  if (subject === undefined) return [];
  return [what.startsWith('adds') ? `${tag} adds ${subject} without a default` : `${tag} ${what} ${subject}`];
}

test('the release before can work with the tables of every migration', () => {
  const files = fs.readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  const found = files.flatMap((file) => breaking(file.slice(0, -4), fs.readFileSync(`${FOLDER}/${file}`, 'utf8')));

  expect(found.filter((each) => !(each in ALLOWED))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((each) => !found.includes(each))).toEqual([]);
});

test.each([
  ['ALTER TABLE "users" DROP COLUMN "name";', 'drops name'],
  ['DROP TABLE "users" CASCADE;', 'drops the table users'],
  ['ALTER TABLE "users" RENAME COLUMN "name" TO "title";', 'renames name'],
  ['ALTER TABLE "users" RENAME TO "people";', 'renames people'],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE integer;', 'changes the type of name'],
  ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;', 'requires name'],
  ['ALTER TABLE "users" ADD COLUMN "age" integer NOT NULL;', 'adds age without a default'],
  ['ALTER TABLE "users" ADD CONSTRAINT "old" CHECK ("age" > 18);', 'restricts users'],
  ['CREATE UNIQUE INDEX "names" ON "users" USING btree ("name");', 'makes unique users'],
])('%s is found', (statement, what) => {
  expect(breaking('0099_x', `CREATE TABLE "other" ();--> statement-breakpoint\n${statement}`)).toEqual([
    `0099_x ${what}`,
  ]);
});

test.each([
  'ALTER TABLE "users" ADD COLUMN "age" integer DEFAULT 0 NOT NULL;',
  'ALTER TABLE "users" ADD COLUMN "age" integer;',
  'ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL;',
  'ALTER TABLE "users" ADD CONSTRAINT "own" FOREIGN KEY ("a") REFERENCES "b"("id");',
  'CREATE TABLE "new" ("id" int NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "n" ON "new" ("id");',
  '-- DROP TABLE "users"\nCREATE INDEX "n" ON "users" ("name");',
])('%s is allowed', (statements) => {
  expect(breaking('0099_x', statements)).toEqual([]);
});

test('only the newest snapshot is kept, with which drizzle-kit compares the schema', () => {
  const snapshots = fs.readdirSync(`${FOLDER}/meta`).filter((file) => file !== '_journal.json');

  expect(snapshots).toHaveLength(1);
});
