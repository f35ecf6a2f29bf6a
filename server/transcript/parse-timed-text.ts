import type { Cue } from './model';

/** A time of WebVTT or SubRip: `01:02:03,400`, `02:03.4`. Both formats are read alike, because files mix them up. */
const STAMP = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const TIMING = new RegExp(String.raw`^\s*${STAMP}[ \t]*-->[ \t]*${STAMP}`);
const SKIPPED_BLOCK = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/**
 * Reads cues line by line. Forgives missing and additional empty lines, missing numbers, and commas or points in times.
 * A cue's number or name before its time is dropped.
 */
export function parseTimedText(text: string, source: 'vtt' | 'srt'): Cue[] {
  const cues: Cue[] = [];
  // The lines of the last cue, joined once it ends: a text that grows with half a million lines costs half a second.
  // Those after the first `kept` are of a paragraph that has not ended.
  const lines: string[] = [];
  let kept = 0;
  let isSkipped = source === 'vtt';
  const isText = () => cues.length > 0 && !isSkipped;
  const endParagraph = () => {
    if (isText()) kept = lines.length;
    else lines.length = kept;
  };
  const endCue = () => {
    endParagraph();
    const last = cues.at(-1);
    if (last) last.text = lines.join('\n');
    lines.length = kept = 0;
  };
  for (const line of text.split('\n')) {
    const timing = line.includes('-->') ? TIMING.exec(line) : null;
    if (timing) {
      // the number of this cue, if no empty line precedes it
      if (isText() && lines.length > kept && /^\s*\d+\s*$/.test(lines.at(-1)!)) lines.pop();
      endCue();
      isSkipped = false;
      cues.push(toCue(timing));
    } else if (line === '' || line.trim() === '') {
      // the name of the next cue, or a comment, may follow
      endParagraph();
      isSkipped = source === 'vtt';
    } else if (source === 'vtt' && lines.length === kept && SKIPPED_BLOCK.test(line)) isSkipped = true;
    else lines.push(line);
  }
  endCue();
  return cues.flatMap(splitVoices);
}

function toCue([, ...parts]: RegExpExecArray): Cue {
  const startMs = toMs(parts.slice(0, 4));
  return { startMs, endMs: Math.max(startMs, toMs(parts.slice(4, 8))), speaker: null, text: '' };
}

function toMs([hours = '0', minutes = '0', seconds = '0', fraction = '']: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** `<v Ana>Hello <v Bo>Hi` has two speakers. */
function splitVoices(cue: Cue): Cue[] {
  const parts = cue.text.split(/<v(?:\.[^\s>]{0,50})?[ \t]([^<>\n]{1,200})>/);
  const [before = '', ...voices] = parts;
  const found: Cue[] = [{ ...cue, text: toPlainText(before) }];
  for (let i = 0; i < voices.length; i += 2) {
    found.push({ ...cue, speaker: toPlainText(voices[i] ?? ''), text: toPlainText(voices[i + 1] ?? '') });
  }
  return found.filter(({ text }) => text.trim() !== '');
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '\u200e',
  '&rlm;': '\u200f',
  '&quot;': '"',
  '&#39;': "'",
};

/**
 * The text without the tags of both formats (`<i>`, `<c.loud>`, `<00:01.000>`, `{\an8}`). The result is text, never
 * HTML.
 */
function toPlainText(text: string): string {
  return text
    .replace(/<\/?[a-z\d][^<>\n]{0,200}>/gi, '')
    .replace(/\{\\[^{}\n]{0,50}\}/g, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
