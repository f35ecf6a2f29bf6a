import { setTimeout as sleep } from 'node:timers/promises';
import type { Turns, Urgency } from '../base/turns';
import type { Pace } from './shared-pace';

type Waiting = { until: number; answer(hasTurn: boolean): void };

/**
 * The turns of one process: those with a waiting user first, each kind in the order of arrival. One caller at a time
 * asks for a place, so a long line causes no more statements than a short one.
 */
export function createTurns(pace: Pace, limits: { waiting: number }): Turns {
  const lines: Record<Urgency, Waiting[]> = { waited_for: [], background: [] };
  let isServing = false;

  async function serve(): Promise<void> {
    isServing = true;
    for (let urgency = nextLine(); urgency; urgency = nextLine()) {
      // without the database, the provider's own limit is the only one
      const hasPlace = await pace.take(urgency).catch(() => true);
      if (hasPlace) lines[urgency].shift()?.answer(true);
      else await sleep(pace.stepMs);
    }
    isServing = false;
  }

  function nextLine(): Urgency | null {
    for (const urgency of ['waited_for', 'background'] as const) {
      dropLate(lines[urgency]);
      if (lines[urgency].length > 0) return urgency;
    }
    return null;
  }

  return {
    take(urgency, patienceMs) {
      const line = lines[urgency];
      if (line.length >= limits.waiting) return Promise.resolve(false);
      return new Promise((answer) => {
        line.push({ until: performance.now() + patienceMs, answer });
        if (!isServing) void serve();
      });
    },
  };
}

function dropLate(line: Waiting[]): void {
  const now = performance.now();
  for (const late of line.filter(({ until }) => until <= now)) {
    line.splice(line.indexOf(late), 1);
    late.answer(false);
  }
}
