// `node scripts/browser.mjs COMMAND …`: runs a command of node_modules/.bin with CHROMIUM_PATH set to a browser.
// If none is found, it installs one: Debian's with apt as root, otherwise Playwright's.
import path from 'node:path';
import { findBrowser, runCommand } from './chromium.mjs';

const [command, ...args] = process.argv.slice(2);
const browser = await findBrowser();
if (!browser) {
  console.error('No browser: install Chromium, or set CHROMIUM_PATH to one.');
  process.exit(1);
}
process.exit(runCommand(path.resolve('node_modules/.bin', command), args, { CHROMIUM_PATH: browser }));
