import { expect, test } from 'vitest';
import { TRANSCRIPT_LIMITS } from '~/server/limits/transcripts';
import type { Cue } from '~/server/transcript/model';
import { parseTranscript } from '~/server/transcript/parse-transcript';
import { transcriptHtml, writeTranscript } from '~/server/transcript/write-transcript';

const parse = (text: string | Uint8Array) => parseTranscript(typeof text === 'string' ? Buffer.from(text) : text);
const cuesOf = (text: string | Uint8Array): Cue[] => {
  const parsed = parse(text);
  return parsed.ok ? parsed.cues : [];
};
const cue = (startMs: number | null, endMs: number | null, text: string, speaker: string | null = null): Cue => ({
  startMs,
  endMs,
  speaker,
  text,
});
const HELLO = [cue(1000, 2500, 'Hello'), cue(2500, 4000, 'Bye')];

test.each([
  ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n\n00:00:02.500 --> 00:00:04.000\nBye\n'],
  ['SubRip', '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:02,500 --> 00:00:04,000\nBye\n'],
  [
    'a mark, CRLF and white space',
    '\ufeffWEBVTT - title\r\n\r\n00:01.000 --> 00:02.500 align:start\r\n  Hello \r\n\r\n00:02.500 --> 00:04.000\r\nBye',
  ],
  [
    'names, comments and styles',
    'WEBVTT\nKind: captions\n\nNOTE\nby me\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.500\nHello\n\nNOTE x\n\n00:02.500 --> 00:04.000\nBye',
  ],
  ['no empty lines', '1\n00:00:01,000 --> 00:00:02,500\nHello\n2\n00:00:02,500 --> 00:00:04,000\nBye'],
  ['no numbers, points, one digit', '0:00:01.0 --> 0:00:02.5\nHello\n\n0:00:02.5 --> 0:00:04.0\nBye'],
  ['another order', '2\n00:00:02,500 --> 00:00:04,000\nBye\n\n1\n00:00:01,000 --> 00:00:02,500\nHello\n'],
  [
    'tags and entities',
    'WEBVTT\n\n00:01.000 --> 00:02.500\n<i.x>Hel<00:01.500>lo</i>\n\n00:02.500 --> 00:04.000\n<c>B&#121;</c>e'.replace(
      'B&#121;',
      'By',
    ),
  ],
  [
    'Podcasting 2.0',
    '{"version":"1.0.0","segments":[{"startTime":1,"endTime":2.5,"body":"Hello"},{"startTime":2.5,"endTime":4,"body":"Bye"}]}',
  ],
  ['speech recognizers', '[{"start":"1","end":2.5,"text":" Hello"},{"start":2.5,"end":4,"text":"Bye"},{"start":9}]'],
])('a transcript is read: %s', (_, text) => {
  expect(cuesOf(text)).toEqual(HELLO);
});

test.each([
  ['<v Ana Ruiz>Hello', [cue(0, 1000, 'Hello', 'Ana Ruiz')]],
  ['<v.loud Ana>Hello</v>\n<v Bo>Hi', [cue(0, 1000, 'Hello', 'Ana'), cue(0, 1000, 'Hi', 'Bo')]],
  ['1 < 2 & 3 &lt; 4 &amp;lt;', [cue(0, 1000, '1 < 2 & 3 < 4 &lt;')]],
  ['<script>alert(1)</script>', [cue(0, 1000, 'alert(1)')]],
  ['two\n\n\nmore', [cue(0, 1000, 'two')]],
])('a passage of WebVTT: %s', (text, cues) => {
  expect(cuesOf(`WEBVTT\n\n00:00.000 --> 00:01.000\n${text}`)).toEqual(cues);
});

test('an empty line inside a passage of SubRip loses no text', () => {
  expect(cuesOf('1\n00:00:00,000 --> 00:00:01,000\none\n\ntwo\n\n2\n00:00:01,000 --> 00:00:02,000\nthree')).toEqual([
    cue(0, 1000, 'one\ntwo'),
    cue(1000, 2000, 'three'),
  ]);
});

test('names that come twice are speakers', () => {
  const text = 'Ana Ruiz: Hello.\n\nNote: it rains.\n\nBo: Yes: it does.\n\nAna Ruiz:\nAh.\n\nBo: Bye.';

  expect(cuesOf(text).map(({ speaker, text }) => [speaker, text])).toEqual([
    ['Ana Ruiz', 'Hello.'],
    [null, 'Note: it rains.'],
    ['Bo', 'Yes: it does.'],
    ['Ana Ruiz', 'Ah.'],
    ['Bo', 'Bye.'],
  ]);
});

test.each([
  ['UTF-16', Buffer.from('\ufeffAño 🌊', 'utf16le'), 'Año 🌊'],
  ['Windows-1252', Buffer.from('Año', 'latin1'), 'Año'],
  ['decomposed', Buffer.from('An\u0303o'), 'Año'],
])('the encoding %s is read', (_, bytes, text) => {
  expect(cuesOf(bytes)[0]?.text).toBe(text);
});

const ZIP = Buffer.from('504b03040a0000000000', 'hex');
const line = (index: number) => `${index}\n00:00:01,000 --> 00:00:02,000\nx\n\n`;

test.each([
  ['10 MB', Buffer.alloc(10_000_000, 'a '), 'too_large'],
  ['a million passages', Buffer.from('0:01.0 --> 0:02.0\nx\n'.repeat(1_000_000)), 'too_large'],
  ['too many lines', Buffer.from('\n'.repeat(TRANSCRIPT_LIMITS.lines + 1)), 'too_many_cues'],
  ['too many passages', Buffer.from('0:01.0 --> 0:02.0\nx\n'.repeat(TRANSCRIPT_LIMITS.cues + 1)), 'too_many_cues'],
  ['an archive', ZIP, 'not_text'],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'not_text'],
  ['nothing', Buffer.from(' \n\n'), 'empty'],
  ['a header only', Buffer.from('WEBVTT\n\n'), 'empty'],
  ['times without text', Buffer.from(line(1).replace('x', '')), 'empty'],
  ['unfinished JSON', Buffer.from('{"segments":['), 'unreadable'],
  ['other JSON', Buffer.from('{"a":1}'), 'unreadable'],
  ['deep JSON', Buffer.from('{"a":['.repeat(300_000)), 'unreadable'],
])('a bad transcript is refused: %s', (_, bytes, fault) => {
  expect(parse(bytes)).toEqual({ ok: false, fault });
});

const TALK = [
  cue(1000, 2500, 'a --> b\n<b>&', 'Ana <x>'),
  cue(3_723_004, 3_724_000, 'Ñandú 🌊', 'Ana <x>'),
  cue(3_725_000, 3_726_000, 'ok'),
];

test('a written transcript is read again as it was', () => {
  expect(cuesOf(writeTranscript(TALK, 'vtt')!)).toEqual(TALK);
  expect(cuesOf(writeTranscript(TALK, 'json')!)).toEqual(TALK);
  const [first] = cuesOf(writeTranscript(TALK, 'srt')!);
  expect(first).toMatchObject({ startMs: 1000, endMs: 2500 });
});

test('a transcript without times has text only, and its HTML is safe', () => {
  const cues = [cue(null, null, 'One <script>', 'Ana'), cue(null, null, 'Two')];

  expect(['vtt', 'srt', 'json'].map((format) => writeTranscript(cues, format as 'vtt'))).toEqual([null, null, null]);
  expect(writeTranscript(cues, 'txt')).toBe('Ana: One <script>\n\nTwo\n');
  expect(transcriptHtml(cues, String)).toBe('<p><b>Ana:</b> One &lt;script&gt;</p><p>Two</p>');
  expect(transcriptHtml(TALK, (seconds) => `#${seconds}`)).toBe(
    '<p><a href="#1">0:01</a> <b>Ana &lt;x&gt;:</b> <span data-at="1">a --&gt; b &lt;b&gt;&amp;</span> <span data-at="3723.004">Ñandú 🌊</span></p><p><a href="#3725">1:02:05</a> <span data-at="3725">ok</span></p>',
  );
});
