import { readFile } from 'node:fs/promises';
import { type Encoding, encoding, type Wave } from './encodings';

/**
 * A small file from another encoder. tests/audio/fixtures/make.ts made it, and it is stored, so that every machine
 * tests the same file.
 */
export type Fixture = { file: URL; program: 'lame' | 'ffmpeg'; form: Wave; args: string[]; encoding: Encoding };

const SECONDS = 1.6;

const lame = (name: string, form: Wave, args: string) => fixture('lame', `LAME ${name}`, { form, args });
const ffmpeg = (name: string, form: Wave, args: string) => fixture('ffmpeg', `FFmpeg ${name}`, { form, args });

function fixture(program: Fixture['program'], name: string, { form, args }: { form: Wave; args: string }): Fixture {
  const slug = `${name} ${form.mode ?? 'joint'} ${form.sampleRate}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const file = new URL(`../audio/fixtures/${slug}.mp3`, import.meta.url);
  const made = encoding(name, form, () => readFile(file));
  return { file, program, form: { ...form, seconds: SECONDS }, args: args.split(' '), encoding: made };
}

const joint = (sampleRate: number): Wave => ({ sampleRate, channels: 2 });
const plain = (sampleRate: number): Wave => ({ sampleRate, channels: 2, mode: 'stereo' });
const mono = (sampleRate: number): Wave => ({ sampleRate, channels: 1, mode: 'mono' });

/** Features that the project's own encoder lacks: plain stereo, average bit rates, a CRC, an info frame. */
export const FIXTURES: Fixture[] = [
  lame('CBR 128', plain(44_100), '-b 128'),
  lame('VBR V2 with CRC', plain(48_000), '-V 2 -p'),
  lame('ABR 112 without Xing', plain(44_100), '--abr 112 -t'),
  lame('CBR 64 with CRC', plain(24_000), '-b 64 -p'),
  lame('VBR V4 without Xing', plain(22_050), '-V 4 -t'),
  lame('ABR 56', plain(24_000), '--abr 56'),
  lame('CBR 32 without Xing', plain(12_000), '-b 32 -t'),
  lame('VBR V5', plain(11_025), '-V 5'),
  lame('ABR 24 with CRC', plain(8_000), '--abr 24 -p'),
  lame('ABR 128 with CRC', joint(44_100), '--abr 128 -p'),
  lame('ABR 48 without Xing', joint(22_050), '--abr 48 -t'),
  lame('ABR 24', joint(11_025), '--abr 24'),
  lame('ABR 56', mono(32_000), '--abr 56'),
  lame('ABR 24 with CRC', mono(16_000), '--abr 24 -p'),
  lame('ABR 12 without Xing', mono(8_000), '--abr 12 -t'),
  lame('CBR 128 with CRC', joint(44_100), '-b 128 -p'),
  lame('VBR V3 with CRC', joint(44_100), '-V 3 -p'),
  lame('VBR V6 with CRC', joint(24_000), '-V 6 -p'),
  lame('CBR 24 with CRC', joint(11_025), '-b 24 -p'),
  lame('CBR 64 with CRC', mono(48_000), '-b 64 -p'),
  lame('CBR 24 with CRC', mono(16_000), '-b 24 -p'),
  lame('VBR V7 with CRC', mono(12_000), '-V 7 -p'),
  lame('CBR 128', { ...joint(44_100), mode: 'dual' }, '-b 128'),
  lame('CBR 96, forced joint', joint(44_100), '-m f -b 96'),
  lame('CBR 56', joint(44_100), '-b 56'),
  lame('CBR 56', mono(24_000), '-b 56'),
  lame('VBR V5 without Xing', joint(44_100), '-V 5 -t'),
  lame('CBR 160 without reservoir', joint(48_000), '-b 160 --nores'),
  lame('CBR 32 without reservoir', mono(22_050), '-b 32 --nores'),
  lame('CBR 320', joint(48_000), '-b 320'),
  ffmpeg('ABR 96', joint(44_100), '-c:a libmp3lame -b:a 96k -abr 1'),
  ffmpeg('VBR V2', plain(44_100), '-c:a libmp3lame -q:a 2 -joint_stereo 0'),
  ffmpeg('CBR 128 without reservoir', joint(44_100), '-c:a libmp3lame -b:a 128k -reservoir 0'),
  ffmpeg('CBR 64 without Xing', mono(32_000), '-c:a libmp3lame -b:a 64k -write_xing 0 -id3v2_version 0'),
  ffmpeg('CBR 128 by Shine', plain(44_100), '-c:a libshine -b:a 128k'),
];

/** Its frame headers do not state the frame length. */
export const FREE_FORMAT = lame('CBR 350, free format', joint(44_100), '--freeformat -b 350');

const CHAPTERS = [';FFMETADATA1', 'title=Día de “Núria”', 'artist=El Niño & Søren']
  .concat(
    [0, 700].map((start) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 700}\ntitle=Från ${start}`),
  )
  .join('\n');
const TAGS = [
  `-f ffmetadata -i data:text/plain;base64,${Buffer.from(CHAPTERS).toString('base64')}`,
  '-f lavfi -i color=c=orange:s=48x48:r=1:d=1 -map 0:a -map 2:v -map_metadata 1 -map_chapters 1 -frames:v 1 -c:v png',
  '-disposition:v attached_pic -c:a libmp3lame -b:a 64k',
].join(' ');

/** Files with a title, an artist, a cover of 48 × 48 and two chapters. */
export const TAGGED = [3, 4].map((version) =>
  ffmpeg(`CBR 64, ID3v2.${version}`, mono(44_100), `${TAGS} -id3v2_version ${version}`),
);
