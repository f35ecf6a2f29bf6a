// Records each request as a full download of another listener, like the audio door, and answers after the commit.
import http from 'node:http';
import { createDb } from '~/db/client';
import { ipDatabases } from '~/server/adapters/geo/ip-databases';
import { AppError } from '~/server/base/errors';
import { recordDelivery } from '~/server/domain/listening/downloads';
import { openRecorders } from '~/server/domain/listening/recorders';

const [port, databaseUrl = '', episodeId, creatorId, productId] = process.argv.slice(2);
const recorders = openRecorders(createDb(databaseUrl).db);
const episode = {
  id: Number(episodeId),
  creatorId: Number(creatorId),
  productId: Number(productId),
  bytes: 1_921_000,
  headBytes: 1000,
  durationMs: 120_000,
};
const geo = ipDatabases({ countries: null, networks: null }, () => false);
const ctx = { recorders, now: () => new Date(), ports: { geo }, urls: { isOwn: () => false } as never };
let listeners = 0;

http
  .createServer((_req, res) => {
    listeners += 1;
    const address = `10.${(listeners >> 16) & 255}.${(listeners >> 8) & 255}.${listeners & 255}`;
    const client = { address, userAgent: `AntennaPod/3.1.${listeners >> 24}` };
    const delivered = { from: 0, to: episode.bytes };
    recordDelivery(ctx, {
      episode,
      method: 'GET',
      status: 200,
      requested: null,
      delivered,
      client,
      source: 'feed',
    }).then(
      () => res.writeHead(204).end(),
      (error) => res.writeHead(error instanceof AppError ? 503 : 500, { 'retry-after': '1' }).end(),
    );
  })
  .listen(Number(port), '127.0.0.1');
