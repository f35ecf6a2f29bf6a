/** The facts in FFmpeg's messages about an input file. */
export type FfmpegReport = {
  /** As the file states it; null if it doesn't, or if FFmpeg has only estimated it. */
  durationMs: number | null;
  /** FFmpeg has recognised the container. */
  isOpened: boolean;
  hasSound: boolean;
  /** The sound is encrypted. FFmpeg would decode noise. */
  isProtected: boolean;
};

/** Metadata can be long; the part that matters is at the beginning of a line. */
const MAX_LINE = 500;
/** For logs. */
const MAX_TAIL = 2000;

const OPENED = /^Input #0, /;
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d)\.(\d\d)/;
const SOUND = /^ {2,4}Stream #0:\d+.*?: Audio: (?!none)/;
const PROTECTED = /^ {2,4}Stream #0:\d+.*?: Audio: .*\((?:drms|enca|aavd) \//;
const ESTIMATE = /Estimating duration from bitrate/;

/**
 * Reads what FFmpeg writes to standard error, in constant memory. A file can contain text that looks like a message; it
 * deceives only about itself.
 * @param onChange called after a line that matters
 */
export function readReport(onChange: (report: FfmpegReport) => void) {
  const report: FfmpegReport = { durationMs: null, isOpened: false, hasSound: false, isProtected: false };
  let line = '';
  let tail = '';
  let isEstimate = false;

  function take(text: string): void {
    if (ESTIMATE.test(text)) isEstimate = true;
    else if (OPENED.test(text)) report.isOpened = true;
    else if (DURATION.test(text)) report.durationMs = isEstimate ? null : durationIn(text);
    else if (SOUND.test(text)) {
      report.hasSound = true;
      report.isProtected ||= PROTECTED.test(text);
    } else return;
    onChange(report);
  }

  return {
    report,
    tail: () => tail,
    write(chunk: Buffer): void {
      const text = chunk.toString('utf8');
      tail = (tail + text).slice(-MAX_TAIL);
      const lines = text.split('\n');
      for (const [at, part] of lines.entries()) {
        line = (line + part).slice(0, MAX_LINE);
        if (at === lines.length - 1) break;
        take(line);
        line = '';
      }
    },
  };
}

function durationIn(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0, hundredths = 0] = (DURATION.exec(text) ?? []).slice(1).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10;
}
