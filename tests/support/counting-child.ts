// A process that counts: downloads until all are acknowledged, a log, or a month again. A test kills it at any moment.
import fs from 'node:fs';
import { type Delivery, recordDelivery } from '~/server/domain/listening/downloads';
import { importLogs } from '~/server/domain/listening/import-log';
import { recountStatistics } from '~/server/domain/listening/recount-statistics';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';

const [url = '', dataDir = '', work = '', ...args] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir);
const ctx = systemCtx(runtime, 'operator');
const operator = { name: 'olga' };
process.stdout.write('ready\n');

/** Waiting requests, as in a busy process. */
const AT_ONCE = 16;

/** Each number is a listener. It is acknowledged after its commit, so a kill between both leaves it unacknowledged. */
async function countDownloads(acknowledged: string, count: number, episode: Delivery['episode']): Promise<void> {
  const known = fs.existsSync(acknowledged) ? fs.readFileSync(acknowledged, 'utf8').split('\n') : [];
  const done = new Set(known.filter(Boolean).map(Number));
  const left = Array.from({ length: count }, (_, i) => i).filter((i) => !done.has(i));
  const log = fs.openSync(acknowledged, 'a');
  const deliverNext = async (): Promise<void> => {
    const next = left.shift();
    if (next === undefined) return;
    const client = { address: `10.0.${next >> 8}.${next & 255}`, userAgent: 'AntennaPod/3.1.2' };
    const delivered = { from: 0, to: episode.bytes };
    const whole = { method: 'GET', status: 200, requested: null, delivered, source: 'feed' as const };
    await recordDelivery(ctx, { episode, client, ...whole });
    fs.writeSync(log, `${next}\n`);
    await deliverNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, deliverNext));
}

if (work === 'downloads') await countDownloads(args[0]!, Number(args[1]), JSON.parse(args[2]!));
if (work === 'log') {
  const files = [{ name: 'access.log', open: () => fs.createReadStream(args[0]!) }];
  await importLogs(ctx, { operator, format: 'combined', files });
}
if (work === 'recount') await recountStatistics(ctx, { operator, from: args[0]!, to: args[0]!, productId: null });
process.exit(0);
