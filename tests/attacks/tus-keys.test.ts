import { expect, test } from 'vitest';
import { requestUpload } from '~/server/domain/media/uploads';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { make, ctxOf, port, sendRaw } = await attackedServer();
const file = { fileName: 'ep.mp3', contentType: 'audio/mpeg', fileSize: 1000, purpose: 'episode_audio' } as const;

/** An account with a started upload. */
async function startUpload() {
  const owner = await make.person();
  const { token } = owner;
  const { key } = await requestUpload(ctxOf(owner), file);
  const headers = {
    host: APP_HOST,
    cookie: `token=${token}`,
    'tus-resumable': '1.0.0',
    'upload-length': '1000',
    'upload-metadata': `key ${Buffer.from(key).toString('base64')}`,
  };
  const created = await fetch(`http://127.0.0.1:${port}/uploads/tus`, { method: 'POST', headers });
  return { token, key, status: created.status };
}

const own = await startUpload();
const victim = await startUpload();
const URLS = [
  `${own.key}?/${victim.key}`,
  `${own.key}/?${victim.key}`,
  `${own.key}?x=/${victim.key}`,
  `${own.key}%2F${victim.key}`,
  `${own.key}/${victim.key}`,
  `${own.key}/../${victim.key}`,
  `${own.key}#/${victim.key}`,
  `${own.key}%3F/${victim.key}`,
  `${own.key}\\${victim.key}`,
  victim.key,
];

test.each(URLS)('a session for another upload neither reads, writes nor deletes at %s', async (url) => {
  const request = (method: string, extra = '') =>
    sendRaw(
      `${method} /uploads/tus/${url} HTTP/1.1\r\nHost: ${APP_HOST}\r\nCookie: token=${own.token}\r\nTus-Resumable: 1.0.0\r\n${extra}\r\n`,
      extra ? 'x'.repeat(5) : '',
    );
  const patch = 'Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 5\r\n';

  const answers = [await request('PATCH', patch), await request('HEAD'), await request('DELETE')];
  const offset = await fetch(`http://127.0.0.1:${port}/uploads/tus/${victim.key}`, {
    method: 'HEAD',
    headers: { host: APP_HOST, cookie: `token=${victim.token}`, 'tus-resumable': '1.0.0' },
  });

  expect([own.status, victim.status]).toEqual([201, 201]);
  for (const { status } of answers) expect([400, 404]).toContain(status);
  expect([offset.status, offset.headers.get('upload-offset')]).toEqual([200, '0']);
});
