// `node scripts/browser.mjs COMMAND …`: runs a command of node_modules/.bin with CHROMIUM_PATH set to a browser.
// Where there is none it is installed: Debian's by apt as root, else Playwright's own.
import path from 'node:path';
import { findBrowser, run } from './chromium.mjs';

const [command, ...args] = process.argv.slice(2);
const browser = await findBrowser();
if (!browser) {
  console.error('No browser: install Chromium, or set CHROMIUM_PATH to one.');
  process.exit(1);
}
process.exit(run(path.resolve('node_modules/.bin', command), args, { CHROMIUM_PATH: browser }));
