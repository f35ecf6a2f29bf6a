import { compareLoads, type Load, medianRatio, type Target } from './load';
import { HAS_NGINX, HAS_WRK } from './machine';
import { AUDIO_BYTES, addAudio, prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare, startNginx } from './servers';
import { type BenchmarkRow, formatRate, judge } from './table';

const GOAL = 0.9;
const MEBIBYTE = 1024 * 1024;
/** A user agent that counts as a listener, so the measurement includes recording the delivery. */
const PLAYER = 'AntennaPod/3.1.2';

/** Requests 1 MiB ranges of a 24 MiB file, with each delivery recorded, and compares with nginx. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const audio = await addAudio(prepared);
  const app = await startApp(prepared);
  const bare = await startBare(audio.body.subarray(0, MEBIBYTE));
  const nginx = HAS_NGINX ? await startNginx(audio.file) : null;
  const targetFor = (url: string, pid: number): Target => ({
    url,
    pid,
    connections: 16,
    headers: { 'user-agent': PLAYER, ...(HAS_WRK ? {} : { range: `bytes=${MEBIBYTE}-${2 * MEBIBYTE - 1}` }) },
    ...(HAS_WRK && { script: ['benchmarks/ranges.lua', String(MEBIBYTE), String(AUDIO_BYTES)] }),
  });
  const targets = [
    targetFor(`${app.url}${audio.path}`, app.pid),
    targetFor(bare.url, bare.pid),
    ...(nginx ? [targetFor(nginx.url, nginx.pid)] : []),
  ];
  const [ours, plain, nginxLoad] = await compareLoads(targets);
  if (nginxLoad && nginxLoad.failed > 0) throw new Error(`nginx failed ${nginxLoad.failed} requests`);
  await Promise.all([app.stop(), bare.stop(), nginx?.stop()]);
  await prepared.close();
  return rows(ours!, plain!, nginxLoad);
}

function rows(ours: Load, plain: Load, nginxLoad: Load | undefined): BenchmarkRow[] {
  const gigabytes = (MEBIBYTE / 1e6 / ours.cpuMs).toFixed(2);
  const ofNginx = nginxLoad ? `, ${medianRatio(ours, nginxLoad).toFixed(2)} of nginx` : '';
  return [
    { label: 'bare node:http, 1 MiB from memory', figure: formatRate(plain) },
    ...(nginxLoad ? [{ label: 'nginx, 1 worker, sendfile, 1 MiB ranges', figure: formatRate(nginxLoad) }] : []),
    {
      label: 'audio door, 1 MiB ranges, deliveries counted',
      figure: formatRate(ours),
      details: `${gigabytes} GB per second of CPU time, ${medianRatio(ours, plain).toFixed(2)} of bare${ofNginx}, ${ours.failed} failed`,
      goal: nginxLoad ? `≥ ${GOAL} of nginx` : undefined,
      ...(nginxLoad && judge(medianRatio(ours, nginxLoad) / GOAL, { failed: ours.failed, holds: false })),
    },
  ];
}
