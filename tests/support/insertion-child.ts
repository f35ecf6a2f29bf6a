// A process that counts impressions, or converts clips, until all are done. A test kills it at any moment.
import fs from 'node:fs';
import { asc, eq } from 'drizzle-orm';
import { clipVersions } from '~/db/schema/insertions';
import { convertClip } from '~/server/domain/insertions/convert-clip';
import { holdRendition } from '~/server/domain/insertions/hold-rendition';
import { loadInsertables } from '~/server/domain/insertions/insertables';
import { lookupRendition } from '~/server/domain/insertions/renditions';
import { type Delivery, recordDelivery, saltedKeys } from '~/server/domain/listening/downloads';
import { convertClip as convertClipJob } from '~/server/queue/jobs/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';

const [url = '', dataDir = '', work = '', ...args] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir);
const ctx = systemCtx(runtime, convertClipJob.name);
process.stdout.write('ready\n');

/** Waiting requests, as in a busy process. */
const AT_ONCE = 16;

/** Each number is a listener, who is led to a rendition and gets all of it. Acknowledged after the commit. */
async function countImpressions(acknowledged: string, count: number, known: Delivery['episode']): Promise<void> {
  const lines = fs.existsSync(acknowledged) ? fs.readFileSync(acknowledged, 'utf8').split('\n') : [];
  const done = new Set(lines.filter(Boolean).map(Number));
  const left = Array.from({ length: count }, (_, i) => i).filter((i) => !done.has(i));
  const log = fs.openSync(acknowledged, 'a');
  const [insertable] = await loadInsertables(runtime, known.productId, [known.id]);
  const listen = async (number: number): Promise<void> => {
    const client = { address: `10.0.${number >> 8}.${number & 255}`, userAgent: 'AntennaPod/3.1.2' };
    const keys = await saltedKeys(runtime.recorders, client, runtime.now());
    const who = {
      door: 'public_feed',
      country: null,
      app: 'antennapod',
      isMachine: false,
      isSubscriber: false,
      isKept: true,
    } as const;
    const held = (await holdRendition(ctx, insertable!, { ...keys, ...who }))!;
    const id = 'renditionId' in held ? held.renditionId : held.id;
    const { bytes, headBytes, durationMs, clips } = (await lookupRendition(ctx, known.id, id))!;
    const whole = { method: 'GET', status: 200, requested: null, delivered: { from: 0, to: bytes } };
    const episode = { ...known, bytes, headBytes, durationMs };
    await recordDelivery(ctx, { ...whole, episode, client, source: 'feed', rendition: { id, clips } });
    fs.writeSync(log, `${number}\n`);
  };
  const next = async () => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) await listen(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Like a worker that gets the jobs of a killed one again. */
async function convertAll(): Promise<void> {
  const isWaiting = eq(clipVersions.status, 'in_progress');
  const { id } = clipVersions;
  const rows = await runtime.db.select({ id }).from(clipVersions).where(isWaiting).orderBy(asc(id));
  for (const row of rows) await convertClip(ctx, row.id);
}

if (work === 'impressions') await countImpressions(args[0]!, Number(args[1]), JSON.parse(args[2]!));
if (work === 'clips') await convertAll();
process.exit(0);
