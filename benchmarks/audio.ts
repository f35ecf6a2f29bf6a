import { compared, type Load, share, type Target } from './load';
import { HAS_NGINX, HAS_WRK } from './machine';
import { AUDIO_BYTES, prepareBenchmark, withAudio } from './prepare-benchmark';
import { startApp, startBare, startNginx } from './servers';
import { type Row, rate } from './table';

const GOAL = 0.75;
const MEBIBYTE = 1024 * 1024;
/** Counted as a listener's, so that recording the delivery is part of what is measured. */
const PLAYER = 'AntennaPod/3.1.2';

/** Ranges of 1 MiB out of a file of 24 MiB, deliveries recorded, beside nginx on the same file. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const audio = await withAudio(prepared);
  const app = await startApp(prepared);
  const bare = await startBare(audio.body.subarray(0, MEBIBYTE));
  const nginx = HAS_NGINX ? await startNginx(audio.file) : null;
  const asked = (url: string, pid: number): Target => ({
    url,
    pid,
    connections: 16,
    headers: { 'user-agent': PLAYER, ...(HAS_WRK ? {} : { range: `bytes=${MEBIBYTE}-${2 * MEBIBYTE - 1}` }) },
    ...(HAS_WRK && { script: ['benchmarks/ranges.lua', String(MEBIBYTE), String(AUDIO_BYTES)] }),
  });
  const targets = [
    asked(`${app.url}${audio.path}`, app.pid),
    asked(bare.url, bare.pid),
    ...(nginx ? [asked(nginx.url, nginx.pid)] : []),
  ];
  const [ours, plain, its] = await compared(targets);
  if (its && its.failed > 0) throw new Error(`nginx failed ${its.failed} times`);
  await Promise.all([app.stop(), bare.stop(), nginx?.stop()]);
  await prepared.close();
  return rows(ours!, plain!, its);
}

function rows(ours: Load, plain: Load, its: Load | undefined): Row[] {
  const gigabytes = ((ours.perCore * MEBIBYTE) / 1e9).toFixed(2);
  const ofNginx = its ? `, ${share(ours, its).toFixed(2)} of nginx` : '';
  return [
    { what: 'bare node:http, 1 MiB from memory', figure: rate(plain) },
    ...(its ? [{ what: 'nginx, 1 worker, sendfile, 1 MiB ranges', figure: rate(its) }] : []),
    {
      what: 'audio door, 1 MiB ranges, deliveries counted',
      figure: rate(ours),
      beside: `${gigabytes} GB/s a core, ${share(ours, plain).toFixed(2)} of bare${ofNginx}, ${ours.failed} failed`,
      goal: its ? `≥ ${GOAL} of nginx` : undefined,
      met: its ? share(ours, its) >= GOAL && ours.failed === 0 : undefined,
    },
  ];
}
