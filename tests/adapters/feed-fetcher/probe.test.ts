import { expect, test } from 'vitest';
import { setUpFetcher } from '../../support/fetcher-setup';

const { fetcher, serve, serveBytes, url } = setUpFetcher({
  limits: { connectMs: 10_000, headersMs: 10_000, wholeMs: 10_000 },
});
const probe = (path = '/', signal = AbortSignal.timeout(60_000), answerMs = 10_000) =>
  fetcher.probe({ url: url(path), answerMs, signal });

test('a page is requested by HEAD, after its redirects', async () => {
  const requests: string[] = [];
  await serve(({ method, url: path }, response) => {
    requests.push(`${method} ${path}`);
    if (path === '/old') response.writeHead(301, { location: '/new' });
    response.end();
  });

  expect(await probe('/old')).toBe(200);
  expect(requests).toEqual(['HEAD /old', 'HEAD /new']);
});

test('a host that answers HEAD with an error is asked by GET, whose body is not read', async () => {
  const server = await serve(({ method }, response) => {
    if (method === 'HEAD') return void response.writeHead(405).end();
    response.write('x'.repeat(1000));
  });

  expect(await probe()).toBe(200);
  await expect.poll(() => server.open()).toBe(0);
});

test('the status of a missing page is an answer', async () => {
  await serve((_, response) => response.writeHead(404).end());

  expect(await probe()).toBe(404);
});

test('a host that does not answer ends the probe, and so does its signal', async () => {
  await serveBytes(() => {});
  const stop = new AbortController();

  await expect(probe('/', undefined, 100)).rejects.toMatchObject({ code: 'fetch.timed_out' });
  const probing = probe('/', stop.signal);
  stop.abort(new Error('enough'));
  await expect(probing).rejects.toThrow('enough');
});

test('private addresses are not probed', async () => {
  const request = { url: 'http://10.0.0.1/', answerMs: 200, signal: AbortSignal.timeout(5000) };
  await expect(fetcher.probe(request)).rejects.toMatchObject({ code: 'fetch.address_private' });
});
