import type { Seam } from '~/server/runtime/seams';

export type Pause = {
  /** Resolves when the verb waits at the seam; rejects if the verb ends first. */
  reachedBy(verb: Promise<unknown>): Promise<void>;
  goOn(): void;
};

/** Stops verbs at a seam until the test continues. `close` releases all of them. */
export function openPauses() {
  const pauses = new Map<Seam, { left: number; full: Gate; released: Gate }>();

  async function reach(seam: Seam): Promise<void> {
    const pause = pauses.get(seam);
    if (!pause || pause.left === 0) return;
    pause.left -= 1;
    if (pause.left === 0) pause.full.open();
    await pause.released.opened;
  }

  /** The given number of verbs that reach the seam first wait there; all others pass. */
  function pauseAt(seam: Seam, verbs = 1): Pause {
    const [full, released] = [gate(), gate()];
    pauses.set(seam, { left: verbs, full, released });
    const neverReached = () => Promise.reject(new Error(`the verb has ended without reaching ${seam}`));
    return {
      reachedBy: (verb) => Promise.race([full.opened, verb.then(neverReached)]),
      goOn: released.open,
    };
  }

  function close(): void {
    for (const { released } of pauses.values()) released.open();
    pauses.clear();
  }
  return { reach, pauseAt, close };
}

type Gate = { opened: Promise<void>; open(): void };

function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
