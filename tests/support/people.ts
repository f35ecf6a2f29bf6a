import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { users } from '~/db/schema/accounts';
import type { Language } from '~/locales/languages';
import { hashPassword } from '~/server/auth/passwords';
import { transact } from '~/server/ctx';
import { queueVerificationEmail } from '~/server/domain/accounts/verifying';
import { receiveUpload, requestUpload } from '~/server/domain/media/uploading';
import { currencyOf } from '~/server/money';
import { type Runtime, systemCtx } from '~/server/runtime';
import { createCaller } from '~/server/trpc/caller';
import { tokenContext } from '~/server/trpc/context';
import type { ApiCtx } from '~/server/trpc/init';
import { mp3 } from './mp3';

/** The context of a request that carries this token, or of a visitor's. */
export async function ctxOf(runtime: Runtime, token: string | null, language: Language = 'en'): Promise<ApiCtx> {
  const headers = new Headers({ 'user-agent': 'Test/1.0' });
  const facts = { headers, host: 'altavoz.localhost', address: '203.0.113.7', requestId: 'test', language };
  return tokenContext(runtime, facts, token ? await runtime.sessions.read(token) : null);
}

/** Calls procedures as who holds this token. */
export const as = async (runtime: Runtime, token: string | null) => createCaller(await ctxOf(runtime, token));

export const PASSWORD = 'correct horse';
let hashing: Promise<string> | undefined;

/** Hashing is slow by design, so all accounts of a test process share one hash. */
function sharedHash(): Promise<string> {
  hashing ??= hashPassword(PASSWORD);
  return hashing;
}

/** A person with an account, in the state in which signing up leaves it. */
export async function person(runtime: Runtime, over: { name?: string; language?: Language; country?: string } = {}) {
  const { name = 'Tom', language = 'en', country = 'ES' } = over;
  const email = `p${randomUUID().replaceAll('-', '')}@mail.example`;
  const passwordHash = await sharedHash();
  const user = await transact(await ctxOf(runtime, null), async (tx) => {
    const account = { name, email, passwordHash, country, language, currency: currencyOf(country) };
    const [row] = await tx.db
      .insert(users)
      .values({ ...account, termsAcceptedAt: tx.now() })
      .returning();
    await queueVerificationEmail(tx, row!);
    return row!;
  });
  const { token } = await runtime.sessions.start(user.id);
  return { token, email, id: user.id, api: await as(runtime, token) };
}

/** A person with a creator page. */
export async function creator(runtime: Runtime, over: { name?: string; domain?: string; timeZone?: string } = {}) {
  const { name = 'Lucía', domain = `d${randomUUID().slice(0, 12)}`, timeZone = 'Europe/Madrid' } = over;
  const who = await person(runtime, { name });
  const page = await who.api.creators.claim({ name, domain, timeZone });
  return { ...who, creatorId: page.id, domain, api: await as(runtime, who.token) };
}

type Purpose = 'episode_audio' | 'cover' | 'avatar';
const TYPES: Record<Purpose, string> = { episode_audio: 'audio/mpeg', cover: 'image/png', avatar: 'image/png' };

/** A file that this person has uploaded; answers its key. */
export async function uploaded(runtime: Runtime, token: string, purpose: Purpose, bytes: Buffer, name = 'file') {
  const ctx = await ctxOf(runtime, token);
  const contentType = TYPES[purpose];
  const fileName = `${name}.${purpose === 'episode_audio' ? 'mp3' : 'png'}`;
  const { key } = await requestUpload(ctx, { fileName, contentType, fileSize: bytes.length, purpose });
  await runtime.ports.storage.put(`incoming/${key}`, bytes, { contentType });
  await receiveUpload(ctx, key, bytes.length);
  return key;
}

const pictures = new Map<string, Promise<Buffer>>();

/** A red picture; each size is encoded once in a test process. */
export function picture(width = 400, height = width): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#C93A27' };
  const size = `${width}x${height}`;
  if (!pictures.has(size)) pictures.set(size, sharp({ create }).png().toBuffer());
  return pictures.get(size)!;
}

export const coverKey = async (runtime: Runtime, token: string) => uploaded(runtime, token, 'cover', await picture());
export const audioKey = async (runtime: Runtime, token: string, seconds = 3) =>
  uploaded(runtime, token, 'episode_audio', mp3(seconds));

/** A free product of a creator. */
export async function product(
  runtime: Runtime,
  owner: { token: string; api: Awaited<ReturnType<typeof as>> },
  over: Partial<Parameters<typeof owner.api.products.create>[0]> = {},
) {
  return owner.api.products.create({
    kind: 'podcast',
    name: 'Olas',
    description: 'El mar, contado.',
    category: 100,
    language: 'es',
    coverKey: await coverKey(runtime, owner.token),
    ...over,
  });
}

/** An episode whose audio waits to be checked. */
export async function draft(
  runtime: Runtime,
  owner: { token: string; api: Awaited<ReturnType<typeof as>> },
  of: { id: number; kind: 'podcast' | 'audio_series' },
  over: Partial<Parameters<typeof owner.api.episodes.create>[0]> = {},
) {
  return owner.api.episodes.create({
    kind: of.kind,
    productId: of.id,
    name: 'Primera ola',
    description: 'De qué va.',
    fileKey: over.fileKey ?? (await audioKey(runtime, owner.token)),
    ...over,
  });
}

/** Does what the jobs of a name would do now, as the worker does it. */
export async function runJobs(
  runtime: Runtime,
  name: string,
  work: (payload: never, ctx: ReturnType<typeof systemCtx>) => Promise<unknown>,
): Promise<number> {
  const jobs = await runtime.queue.boss.fetch(name, { batchSize: 100 });
  for (const { id, data } of jobs ?? []) {
    await work(data as never, systemCtx(runtime, name));
    await runtime.queue.boss.complete(name, id);
  }
  return jobs?.length ?? 0;
}
