// Finds or installs a browser for the journeys and for the tests that compare with Chromium.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The headless shell comes first: without the browser's own interface, journeys take half the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function runCommand(command, args, env = {}) {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

function isFile(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function findInstalled() {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...NAMES.flatMap((name) => folders.map((dir) => path.join(dir, name))),
    ...APPLICATIONS,
  ];
  return candidates.find((file) => file && isFile(file));
}

async function findPlaywrights() {
  const { chromium } = await import('@playwright/test');
  return isFile(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

function installByApt() {
  if (process.getuid?.() !== 0 || !isFile('/usr/bin/apt-get')) return;
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  console.log('No Chromium found: installing Debian’s …');
  runCommand('apt-get', ['update', '-qq'], quiet);
  const install = (name) =>
    runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], quiet) === 0;
  // older releases have only the whole browser
  PACKAGES.some(install);
}

function installPlaywrights() {
  console.log('No Chromium found: installing Playwright’s …');
  runCommand('node_modules/.bin/playwright', ['install', 'chromium']);
}

/** The path of a browser, which is installed if necessary; undefined if that fails. */
export async function findBrowser() {
  const found = findInstalled() ?? (await findPlaywrights());
  if (found) return found;
  installByApt();
  if (findInstalled()) return findInstalled();
  installPlaywrights();
  return findPlaywrights();
}
