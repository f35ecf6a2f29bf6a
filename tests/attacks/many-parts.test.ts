import { expect, test } from 'vitest';
import { createSlots } from '~/server/flow/slots';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { insertionMakers } from '../support/insertions';

const { runtime, lucia, make, sendRaw, faults } = await attackedServer();
const { soundEpisode } = insertionMakers(runtime, make);
const episode = await soundEpisode(await make.product(lucia), { seconds: 20 });
const { id } = await lucia.api.soundbites.add({ episodeId: episode.id, title: 'A', startMs: 0, endMs: 6000 });
const withSlot = createSlots(1);
runtime.ports.encodeVideo = () => withSlot(async () => Buffer.from('video'));

test('a form of a thousand parts that never ends is refused, and the server stays', async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n\r\n';
  const head = [
    `POST /soundbite-videos/${id} HTTP/1.1\r\nHost: ${APP_HOST}\r\nCookie: token=${lucia.token}\r\n`,
    'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 20000000\r\n\r\n',
  ];
  for (let i = 0; i < 3; i += 1)
    expect(await sendRaw(...head, part.repeat(1000))).toMatchObject({
      status: 400,
      body: expect.stringContaining('video_invalid'),
    });

  const { status } = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: ${APP_HOST}\r\nConnection: close\r\n\r\n`);
  expect([200, 204]).toContain(status);
  expect(faults()).toEqual([]);
});
