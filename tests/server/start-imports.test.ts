import { expect, test } from 'vitest';
import { reachableModules } from '../support/static-imports';

/** Each of these takes 40 to 100 ms and 10 to 25 MB to import, and many processes never need it. */
const LAZY = [
  '@node-rs/argon2',
  'stripe',
  'nodemailer',
  'smtp-server',
  'postal-mime',
  'sanitize-html',
  'undici',
  'sharp',
  'music-metadata',
  '@simplewebauthn/server',
  'uqr',
  'marked',
  'yaml',
];

test.each(['server/main.ts', 'server/web.ts'])('%s starts without packages that only some work needs', (file) => {
  const loaded = reachableModules(file);

  expect(LAZY.filter((name) => loaded.has(name))).toEqual([]);
  expect(loaded).toContain('drizzle-orm');
});
