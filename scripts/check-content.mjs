// Checks the site's own texts: front matter, links, both languages, pictures. With --import tsx, because the engine is
// TypeScript. A folder as an argument is checked together with ours: `npm run check:content -- /etc/altavoz/content`.
import { OWN_CONTENT, openContent } from '../server/runtime/content-folders.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const folders = [OWN_CONTENT, ...process.argv.slice(2)];
const { entries, problems } = await openContent({ folders, log: silent }).library();
for (const { file, problem } of problems) console.error(`${file}: ${problem}`);
if (problems.length === 0) console.log(`${entries.length} texts, no problems.`);
process.exitCode = problems.length > 0 ? 1 : 0;
