import { escapeHtml } from '../base/html';
import { TRANSCRIPT_LIMITS } from '../limits/transcripts';
import { type Cue, isTimed, type TimedCue } from './model';

export const TRANSCRIPT_FORMATS = ['vtt', 'srt', 'json', 'html', 'txt'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** The types of Podcasting 2.0. */
export const TRANSCRIPT_TYPES: Record<TranscriptFormat, string> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  json: 'application/json',
  html: 'text/html',
  txt: 'text/plain',
};

/** The formats that a transcript supports: without times, only those that people read. */
export function formatsOf(isTimed: boolean): TranscriptFormat[] {
  return isTimed ? [...TRANSCRIPT_FORMATS] : ['html', 'txt'];
}

/** What an HTML document says about itself. `language` is a language tag. */
type About = { title: string; language: string };

/** The transcript in a format; null if it needs times that the transcript lacks. */
export function writeTranscript(cues: Cue[], format: TranscriptFormat, about?: About | null): string | null {
  if (format === 'html') return toHtml(cues, about ?? { title: '', language: '' });
  if (format === 'txt')
    return `${paragraphsOf(cues)
      .map(({ speaker, passages }) => said(speaker, passages.map(({ text }) => text).join(' ')))
      .join('\n\n')}\n`;
  const timed = cues.filter(isTimed);
  if (timed.length === 0) return null;
  if (format === 'json') return toJson(timed);
  return format === 'vtt' ? toVtt(timed) : toSrt(timed);
}

/** Speakers and times as Podcasting 2.0 describes them, in a document that can be opened by itself. */
function toHtml(cues: Cue[], { title, language }: About): string {
  const paragraphs = paragraphsOf(cues).map(({ speaker, passages }) => {
    const startMs = passages[0]?.startMs ?? null;
    const cite = speaker ? `<cite>${escapeHtml(speaker)}:</cite>\n` : '';
    const time = startMs === null ? '' : `<time>${formatTime(Math.floor(startMs / 1000))}</time>\n`;
    return `${cite}${time}<p dir="auto">${escapeHtml(passages.map(({ text }) => text).join(' '))}</p>\n`;
  });
  const head = `<meta charset="utf-8">\n<title>${escapeHtml(title)}</title>\n`;
  return `<!doctype html>\n<html lang="${escapeHtml(language)}">\n${head}${paragraphs.join('')}</html>\n`;
}

const said = (speaker: string | null, text: string) => (speaker ? `${speaker}: ${text}` : text);

function toJson(cues: TimedCue[]): string {
  const segments = cues.map(({ startMs, endMs, speaker, text }) => ({
    ...(speaker && { speaker }),
    startTime: startMs / 1000,
    endTime: endMs / 1000,
    body: text,
  }));
  return JSON.stringify({ version: '1.0.0', segments });
}

function toVtt(cues: TimedCue[]): string {
  const blocks = cues.map(({ startMs, endMs, speaker, text }) => {
    const voice = speaker ? `<v ${escapeCue(speaker)}>` : '';
    return `${formatStamp(startMs, '.')} --> ${formatStamp(endMs, '.')}\n${voice}${escapeCue(inLines(text))}\n`;
  });
  return `WEBVTT\n\n${blocks.join('\n')}`;
}

/** Apps that show a passage over a picture expect lines of at most 65 characters. Longer words stay whole. */
function inLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let room = 0;
    for (const word of line.split(/\s+/)) {
      if (word.length < room) lines[lines.length - 1] += ` ${word}`;
      else {
        lines.push(word);
        room = LINE_LENGTH + 1;
      }
      room -= word.length + 1;
    }
  }
  return lines.join('\n');
}

const LINE_LENGTH = 65;

const escapeCue = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** SubRip has no escapes: an arrow in the text would be a time. */
function toSrt(cues: TimedCue[]): string {
  const blocks = cues.map(({ startMs, endMs, speaker, text }, index) => {
    const safe = said(speaker, text).replaceAll('-->', '→');
    return `${index + 1}\n${formatStamp(startMs, ',')} --> ${formatStamp(endMs, ',')}\n${safe}\n`;
  });
  return blocks.join('\n');
}

function formatStamp(ms: number, point: '.' | ','): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${point}${rest}`;
}

type Paragraph = { speaker: string | null; length: number; passages: Pick<Cue, 'startMs' | 'text'>[] };

/** Joins the passages of one speaker to paragraphs. */
function paragraphsOf(cues: Cue[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const cue of cues) {
    const last = paragraphs.at(-1);
    const isSame = last && last.speaker === cue.speaker && isTimed(cue);
    const passage = { startMs: cue.startMs, text: cue.text.replaceAll('\n', ' ') };
    if (isSame && last.length < TRANSCRIPT_LIMITS.paragraphLength) {
      last.passages.push(passage);
      last.length += passage.text.length + 1;
    } else paragraphs.push({ speaker: cue.speaker, length: passage.text.length, passages: [passage] });
  }
  return paragraphs;
}

/**
 * Paragraphs of safe HTML for a page, each with its speaker and a link to its time; null if they are too long for a page.
 * `data-at` is the second of each passage, so that a script can follow playback.
 * @param momentUrl the link to a second
 */
export function transcriptHtml(cues: Cue[], momentUrl: (seconds: number) => string): string | null {
  let length = 0;
  for (const { text } of cues) length += text.length;
  if (length > TRANSCRIPT_LIMITS.shownLength) return null;
  return paragraphsOf(cues)
    .map(({ speaker, passages }) => {
      const startMs = passages[0]?.startMs ?? null;
      const seconds = startMs === null ? null : Math.floor(startMs / 1000);
      const time = seconds === null ? '' : `<a href="${escapeHtml(momentUrl(seconds))}">${formatTime(seconds)}</a> `;
      return `<p>${time}${speaker ? `<b>${escapeHtml(speaker)}:</b> ` : ''}${passages.map(passageHtml).join(' ')}</p>`;
    })
    .join('');
}

const passageHtml = ({ startMs, text }: Pick<Cue, 'startMs' | 'text'>): string =>
  startMs === null ? escapeHtml(text) : `<span data-at="${startMs / 1000}">${escapeHtml(text)}</span>`;

function formatTime(seconds: number): string {
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
