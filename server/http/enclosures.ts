import type { IncomingMessage } from 'node:http';
import { readCookie } from '../auth/cookies';
import { SESSION_COOKIE } from '../auth/sessions';
import type { Actor } from '../ctx';
import { recordDelivery } from '../domain/listening/downloads';
import { type Enclosure, lookupEnclosure } from '../domain/listening/enclosure';
import { VISITOR } from '../policy/actor';
import type { Runtime } from '../runtime';
import { createAudioDoor, type Delivered } from './audio';
import { clientAddress } from './facts';
import type { NodeHandler } from './listener';

/** Audio for whoever may hear it; what was handed over is counted after the last byte. */
export function enclosures(runtime: Runtime, trustedProxies: number): NodeHandler {
  const found = new WeakMap<IncomingMessage, { enclosure: Enclosure; address: string }>();
  return createAudioDoor({
    store: runtime.ports.storage,
    log: runtime.log,
    async lookup(episodeId, req) {
      // a socket that was closed has forgotten whose it was, and players close theirs with the last byte
      const address = addressOf(req, trustedProxies);
      const enclosure = await lookupFor(runtime, episodeId, req);
      if (enclosure) found.set(req, { enclosure, address });
      return enclosure;
    },
    onDelivered(delivered, req) {
      const asked = found.get(req);
      if (asked) void count(runtime, asked.enclosure, delivered, req, asked.address);
    },
  });
}

function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = headers['x-forwarded-for'];
  const heard = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? null);
  return clientAddress(heard, trustedProxies, socket.remoteAddress ?? '');
}

/** Most episodes are for everybody: only where one is not does the log-in matter. */
async function lookupFor(runtime: Runtime, episodeId: number, req: IncomingMessage): Promise<Enclosure | null> {
  const open = await lookupEnclosure({ db: runtime.db, actor: VISITOR }, episodeId);
  const token = readCookie(req.headers.cookie, SESSION_COOKIE);
  if (open || !token) return open;
  const reading = await runtime.sessions.read(token);
  if (!reading) return null;
  const { userId, creatorId } = reading;
  const actor: Actor = { type: 'user', userId, creatorId, sessionId: token };
  return lookupEnclosure({ db: runtime.db, actor }, episodeId);
}

async function count(
  runtime: Runtime,
  { episode }: Enclosure,
  { start, end, sent }: Delivered,
  { method = 'GET', headers }: IncomingMessage,
  address: string,
): Promise<void> {
  const isPart = headers.range !== undefined;
  try {
    await recordDelivery(runtime, {
      episode,
      method,
      status: isPart ? 206 : 200,
      requested: isPart ? { from: start, to: end + 1 } : null,
      delivered: { from: start, to: start + sent },
      client: { address, userAgent: headers['user-agent'] ?? '' },
    });
  } catch (err) {
    runtime.log.error({ err, episodeId: episode.id }, 'a delivery was not counted');
  }
}
