import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { App } from '~/server/http/app-env';
import { mountStaticFiles } from '~/server/http/static-files';

const CODE = 'export const name = "altavoz";'.repeat(50);
let dir = '';
let app: App;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'static-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  fs.mkdirSync(path.join(dir, 'assets'));
  fs.writeFileSync(path.join(dir, 'assets/entry-abc.js'), CODE);
  fs.writeFileSync(path.join(dir, 'assets/entry-abc.js.br'), brotliCompressSync(CODE));
  app = new Hono();
  mountStaticFiles(app, dir);
});

const get = (name: string, headers: Record<string, string>, method = 'GET') =>
  app.request(`/assets/${name}`, { headers, method });

test('a compressed file is read once', async () => {
  await get('entry-abc.js', { 'accept-encoding': 'gzip, deflate, br, zstd' });
  fs.rmSync(path.join(dir, 'assets'), { recursive: true });

  const response = await get('entry-abc.js', { 'accept-encoding': 'gzip, br' });
  const bytes = Buffer.from(await response.arrayBuffer());

  expect(brotliDecompressSync(bytes).toString()).toBe(CODE);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-length': String(bytes.length),
    'content-type': expect.stringMatching(/^text\/javascript/),
    'last-modified': expect.stringMatching(/GMT$/),
    vary: 'Accept-Encoding',
  });
});

test.each([
  ['a browser without Brotli', { 'accept-encoding': 'gzip;q=1.0' }, 200, CODE],
  ['a part of a file', { 'accept-encoding': 'br', range: 'bytes=0-5' }, 206, null],
])('%s gets it from the disk', async (_, headers, status, text) => {
  const response = await get('entry-abc.js', headers as Record<string, string>);

  expect(response.status).toBe(status);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const body = await response.arrayBuffer();
  expect(text === null ? body.byteLength : Buffer.from(body).toString()).toBe(text ?? 6);
});

test.each(['entry-xyz.js', 'deeper/entry-abc.js', '..%2Fentry-abc.js'])('there is no %s', async (name) => {
  const response = await get(name, { 'accept-encoding': 'br' });

  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('a file that a new build has deleted is not found', async () => {
  fs.rmSync(path.join(dir, 'assets'), { recursive: true });

  expect((await get('entry-abc.js', { 'accept-encoding': 'br' })).status).toBe(404);
});

test('a HEAD request has the length and no body', async () => {
  const response = await get('entry-abc.js', { 'accept-encoding': 'br' }, 'HEAD');

  expect(response.headers.get('content-length')).toBe(String(brotliCompressSync(CODE).length));
  expect(await response.text()).toBe('');
});

test('only the worker that encodes recordings may compile WebAssembly', async () => {
  const name = 'encode-recording.worker-D1f_a-2.js';
  fs.writeFileSync(path.join(dir, 'assets', name), CODE);
  fs.writeFileSync(path.join(dir, 'assets', `${name}.br`), brotliCompressSync(CODE));
  const own: App = new Hono();
  mountStaticFiles(own, dir);
  const policyOf = async (file: string, encoding: string) => {
    const response = await own.request(`/assets/${file}`, { headers: { 'accept-encoding': encoding } });
    return response.headers.get('content-security-policy');
  };

  expect(await policyOf(name, 'br')).toMatch(/script-src 'self' 'wasm-unsafe-eval'/);
  expect(await policyOf(name, 'identity')).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
  expect([await policyOf('entry-abc.js', 'br'), await policyOf('entry-abc.js', 'identity')]).toEqual([null, null]);
});
