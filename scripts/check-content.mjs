// Checks the site's own texts: front matter, links, both languages, pictures. With --import tsx, because the engine is
// TypeScript. A folder as an argument is checked together with ours: `npm run check:content -- /etc/altavoz/content`.
// `-- --external` lists the links to other sites instead of following them: a check must not need a network.
import { parseArgs } from 'node:util';
import { OWN_CONTENT, openContent } from '../server/runtime/content-folders.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const { values, positionals } = parseArgs({ options: { external: { type: 'boolean' } }, allowPositionals: true });
const folders = [OWN_CONTENT, ...positionals];
const { entries, problems } = await openContent({ folders, log: silent }).library();
for (const { file, problem } of problems) console.error(`${file}: ${problem}`);
if (problems.length === 0) console.log(`${entries.length} texts, no problems.`);
if (values.external) for (const line of externalLinks()) console.log(line);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Each address once, with the texts that link to it. */
function externalLinks() {
  const textsOf = new Map();
  for (const { language, collection, id, html, data } of entries) {
    const inText = [...html.matchAll(/href="(https?:[^"]*)"/g)].map(([, to]) => to);
    const inFront = [...(data.sources ?? []), data.next, { to: data.to }].map((link) => link?.to ?? '');
    for (const to of [...inText, ...inFront.filter((each) => /^https?:/.test(each))])
      textsOf.set(to, (textsOf.get(to) ?? new Set()).add(`${language}/${collection}/${id}`));
  }
  return [...textsOf].sort().map(([to, texts]) => `${to}  (${[...texts].join(', ')})`);
}
