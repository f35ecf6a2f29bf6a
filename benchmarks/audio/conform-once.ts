/** Conforms one clip in its own process, to measure its memory: `conform-once.ts <clip> <{ target, ffmpegPath }>`. */
import { bundledAudio } from '~/tests/support/bundled-audio';
import { fileSource } from './hour';

const [path = '', json = ''] = process.argv.slice(2);
const { target, ffmpegPath } = JSON.parse(json);
const engine = await bundledAudio();
const source = await fileSource(path);
const megabytes = () => process.resourceUsage().maxRSS / 1024;
const [base, cpu, startedAt] = [megabytes(), process.cpuUsage(), performance.now()];
const result = await engine.conformInWorker(source, target, { ffmpegPath });
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - startedAt) / 1000;
const summary = result.ok
  ? `${(result.mp3.length / 1e6).toFixed(1)} MB, ${result.gainDb.toFixed(1)} dB`
  : result.reason;
process.stdout.write(JSON.stringify({ seconds, processor: (user + system) / 1e6, base, peak: megabytes(), summary }));
await engine.remove();
process.exit();
