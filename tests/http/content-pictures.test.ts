import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Hono } from 'hono';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { contentPicturesDoor } from '~/server/doors/files/content-pictures';
import type { App } from '~/server/http/app-env';
import { openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-pictures-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
await fs.mkdir(`${folder}/pictures`);
const bytes = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();
await fs.writeFile(`${folder}/pictures/wall.png`, bytes);
await fs.writeFile(`${folder}/pictures/text.png`, 'no picture');
const app = new Hono() as unknown as App;
contentPicturesDoor({ content: openContent({ folders: [folder], log: createLog('silent') }) })(app);

test('a picture is served with its type', async () => {
  const response = await app.request('/content-pictures/wall.png');

  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
});

test.each(['text.png', 'unknown.png', '..%2f..%2fpackage.json', '%00', 'constructor'])(
  '%s is no picture of ours',
  async (name) => {
    expect((await app.request(`/content-pictures/${name}`)).status).toBe(404);
  },
);
