import { normalized } from '../base/normalized';
import { TRANSCRIPT_LIMITS } from '../limits/transcripts';
import { withEditedText } from './edited-text';
import type { Cue, Parsed, TranscriptSource, UploadedSource } from './model';
import { parseJson } from './parse-json';
import { parsePlainText } from './parse-plain-text';
import { parseTimedText } from './parse-timed-text';
import { plainMarkdown } from './plain-markdown';
import { findSpeakers } from './speakers';
import { withoutEmptyLines, wordsOf } from './words';

/** Reads a text that was edited: passages that did not change keep their times. */
export function parseEditedText(bytes: Uint8Array, former: { source: TranscriptSource; cues: Cue[] }): Parsed {
  if (bytes.length > TRANSCRIPT_LIMITS.maxBytes) return { ok: false, fault: 'too_large' };
  const text = decodeText(bytes);
  if (text === null) return { ok: false, fault: 'not_text' };
  return toParsed(former.source, withEditedText(former.cues, text));
}

/**
 * Reads WebVTT, SubRip, Podcasting 2.0 JSON or plain text. The content decides, because names of files are often wrong;
 * it does not show that a text is Markdown, so the caller has to say it.
 * Takes time in proportion to the file: every step reads each line once.
 */
export function parseTranscript(bytes: Uint8Array, { isMarkdown = false } = {}): Parsed {
  if (bytes.length > TRANSCRIPT_LIMITS.maxBytes) return { ok: false, fault: 'too_large' };
  const written = decodeText(bytes);
  if (written === null) return { ok: false, fault: 'not_text' };
  const text = isMarkdown ? plainMarkdown(written) : written;
  if (hasMoreLines(text, TRANSCRIPT_LIMITS.lines)) return { ok: false, fault: 'too_many_cues' };
  const source = sourceOf(text);
  const found = cuesOf(text, source);
  if (found === null) return { ok: false, fault: 'unreadable' };
  return toParsed(source, found);
}

function hasMoreLines(text: string, limit: number): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= limit; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > limit;
}

function toParsed(source: TranscriptSource, found: Cue[]): Parsed {
  if (found.length > TRANSCRIPT_LIMITS.cues) return { ok: false, fault: 'too_many_cues' };
  const cues = findSpeakers(found).flatMap(toCleanCue);
  if (cues.length === 0) return { ok: false, fault: 'empty' };
  return { ok: true, source, cues: cues.sort((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0)) };
}

/**
 * UTF-8 or UTF-16 by its byte order mark, otherwise UTF-8, otherwise Windows-1252, which many subtitle editors write.
 * Null for binary files.
 */
function decodeText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const text = marked ? new TextDecoder(marked).decode(bytes) : (decodeUtf8(bytes) ?? decodeWindows(bytes));
  return BINARY.test(text) ? null : normalized(text.replace(/\r\n?/g, '\n'));
}

/** Control characters other than tabs and line breaks distinguish a binary file from a text. */
const BINARY = /[^\P{Cc}\t\n\v\f\r\u007f-\u009f]/u;

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const decodeWindows = (bytes: Uint8Array) => new TextDecoder('windows-1252').decode(bytes);

function sourceOf(text: string): UploadedSource {
  const start = text.trimStart();
  if (/^WEBVTT(?:\s|$)/.test(start)) return 'vtt';
  if (start.startsWith('{') || /^\[\s*[{\]]/.test(start)) return 'json';
  return /^[^\n]{0,40}\d:\d\d[,.]\d{1,3}[ \t]*-->/m.test(text) ? 'srt' : 'text';
}

function cuesOf(text: string, source: UploadedSource): Cue[] | null {
  if (source === 'json') return parseJson(text);
  return source === 'text' ? parsePlainText(text) : parseTimedText(text, source);
}

/** The cue without control characters and empty lines; long texts are split into several cues with the same time. */
function toCleanCue(cue: Cue): Cue[] {
  const text = withoutEmptyLines(toPlain(cue.text).replace(/[ \t]{2,}|\t/g, ' '));
  const speaker = cue.speaker && toPlain(cue.speaker).replace(/\s+/g, ' ').trim();
  const shown = speaker ? speaker.slice(0, TRANSCRIPT_LIMITS.speakerLength) : null;
  const { words, ...rest } = cue;
  // A text of one part has the same words as before: only spaces and control characters are gone.
  if (words && text.length <= TRANSCRIPT_LIMITS.cueLength && wordsOf(text).length === words.length)
    return text === '' ? [] : [{ ...cue, speaker: shown, text }];
  const parts: Cue[] = [];
  for (let at = 0; at < text.length; at += TRANSCRIPT_LIMITS.cueLength) {
    parts.push({ ...rest, speaker: shown, text: text.slice(at, at + TRANSCRIPT_LIMITS.cueLength).toWellFormed() });
  }
  return parts;
}

const toPlain = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, '').toWellFormed();
