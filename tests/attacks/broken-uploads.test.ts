import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { requestFormUpload } from '~/server/domain/media/uploads';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { deepSeed, isDeep } from '../support/deep';
import { noise } from '../support/mp3';
import { sendAndAbort } from '../support/raw-http';

const FILE_BYTES = 150_000;
const BOUNDARY = 'a-boundary';
const PART_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n`;

const { runtime, make, ctxOf, port, sendRaw } = await attackedServer();

/** A new account for each ticket, because each account may have only a few open tickets. */
async function openTicket(): Promise<{ path: string; key: string }> {
  const owner = await make.person();
  const file = {
    fileName: 'ep.mp3',
    contentType: 'audio/mpeg',
    fileSize: FILE_BYTES,
    purpose: 'episode_audio',
  } as const;
  const { url, key } = await requestFormUpload(ctxOf(owner), file);
  return { path: new URL(url).pathname, key };
}

function formHead(path: string, length: number, type = `multipart/form-data; boundary=${BOUNDARY}`): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}

const storedFile = (key: string) => runtime.ports.storage.head(`incoming/${key}`);

async function sendWholeForm(path: string): Promise<number> {
  const form = Buffer.concat([Buffer.from(PART_HEAD), noise(FILE_BYTES, 3), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return (await sendRaw(formHead(path, form.length), form)).status;
}

/** Positions at which the body ends, in bytes after the part's headers. */
const ends = isDeep
  ? Array.from({ length: 500 }, (_, i) => (deepSeed() + i * 7919) % FILE_BYTES)
  : [0, 1, 100, 16_384, 65_536, 70_000, 140_000];

test.each(ends)('a form that ends %i bytes into its file is rejected, and the ticket stays usable', async (end) => {
  const { path, key } = await openTicket();
  const body = Buffer.concat([Buffer.from(PART_HEAD), noise(end, 3)]);

  const answer = await sendRaw(formHead(path, body.length), body);

  expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'upload.interrupted']);
  expect(await storedFile(key)).toBeNull();
  expect(await sendWholeForm(path)).toBe(204);
});

test.each([0, 5, 8, 12, 20, 100])('the server survives clients that disconnect after %i ms', async (delay) => {
  const tickets = await Promise.all(Array.from({ length: isDeep ? 50 : 3 }, openTicket));

  const body = [PART_HEAD, noise(70_000, 4)];
  await Promise.all(tickets.map(({ path }) => sendAndAbort(port, [formHead(path, FILE_BYTES), ...body], delay)));
  await wait(150);

  for (const { key } of tickets) expect(await storedFile(key)).toBeNull();
  expect(await sendWholeForm(tickets[0]!.path)).toBe(204);
});

test('the server survives a client that disconnects after its file was rejected as too large', async () => {
  const { path, key } = await openTicket();
  const body = Buffer.concat([Buffer.from(PART_HEAD), noise(FILE_BYTES + 20_000, 5)]);

  const rejected = await sendRaw(formHead(path, FILE_BYTES + 60_000), body);
  await wait(150);

  expect(rejected.status).toBe(413);
  expect(await storedFile(key)).toBeNull();
  expect(await sendWholeForm(path)).toBe(204);
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary',
  'text/plain',
  '%',
])('a body of the type "%s" is no form with a file', async (type) => {
  const { path } = await openTicket();

  const answer = await sendRaw(formHead(path, 10, type), noise(10));

  expect([answer.status, JSON.parse(answer.body).code]).toEqual([
    400,
    expect.stringMatching(/^upload\.(?:form_required|interrupted)$/),
  ]);
});
