import type { OnProgress } from '../seed/steps';
import type { Log } from '../watching/log';

/** Number of lines in a log; a terminal has a single line that is rewritten. */
const LINES = 4;
const CLEAR_LINE = '\r\x1b[K';

/** Shows the progress of the demo. @param text the text before the figures on a terminal */
export function showProgress(log: Log, text: string): OnProgress {
  return process.stdout.isTTY ? rewriteLine(text) : logQuarters(log);
}

/** The cursor returns to the start of the line, so that a line of the log replaces this one. */
const rewriteLine =
  (text: string): OnProgress =>
  (done, total) => {
    const isOver = done === total;
    process.stdout.write(isOver ? CLEAR_LINE : `${CLEAR_LINE}${text}: ${done} of ${total} steps\r`);
  };

function logQuarters(log: Log): OnProgress {
  let shown = -1;
  return (done, total) => {
    const quarter = Math.floor((done / total) * LINES);
    if (quarter === shown) return;
    shown = quarter;
    log.info({ done, total }, 'creating the demo');
  };
}
