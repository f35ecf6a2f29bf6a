import { type CachedAnswer, cachedAnswer, isSame, type Rendered } from './cached-answer';

export type PageCache = ReturnType<typeof createPageCache>;

/** Either kept for the next visitor too, or for this one alone. */
export type Loaded = { shared: CachedAnswer } | { own: Rendered };

type Flight = { startedAt: number; result: Promise<Loaded> };

/**
 * Answers to anonymous visitors, kept until what they were made of changes, for `ceiling` milliseconds at most and
 * within `bytes`: the one that was asked for longest ago goes first. After half of its time an answer is made anew
 * while it is still given out, so that nobody waits. One process's memory, nothing of it is truth.
 */
export function createPageCache(options: { bytes: number; ceiling: number; now: () => number }) {
  const answers = new Map<string, CachedAnswer>();
  const keysOf = new Map<string, Set<string>>();
  const flights = new Map<string, Flight>();
  /** Counts changes; a rendering that began before one may have read what was true before it. */
  let changes = 0;
  const changedAt = new Map<string, number>();
  let clearedAt = 0;
  let flying = 0;
  let held = 0;
  /** Asked for last: it need not move to the end again. */
  let newest = '';

  function drop(key: string) {
    const answer = answers.get(key);
    if (!answer) return;
    answers.delete(key);
    held -= answer.bytes;
    for (const tag of answer.tags) {
      const keys = keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(tag);
    }
  }

  /** The one that is kept already, if the new one is no other: its compressed forms are worth keeping. */
  function latest(key: string, made: CachedAnswer): CachedAnswer {
    const kept = answers.get(key);
    if (!kept || !isSame(kept, made)) return made;
    return Object.assign(kept, { staleAt: made.staleAt, expiresAt: made.expiresAt });
  }

  function keep(key: string, answer: CachedAnswer) {
    drop(key);
    answers.set(key, answer);
    newest = key;
    held += answer.bytes;
    for (const tag of answer.tags) {
      const keys = keysOf.get(tag) ?? new Set();
      keysOf.set(tag, keys.add(key));
    }
    shrink();
  }

  function shrink() {
    for (const oldest of answers.keys()) {
      if (held <= options.bytes) return;
      drop(oldest);
    }
  }

  async function fly(key: string, startedAt: number, render: () => Promise<Rendered>): Promise<Loaded> {
    flying += 1;
    try {
      const rendered = await render();
      if (rendered.status !== 200 || rendered.tags.length === 0) return { own: rendered };
      const answer = latest(key, cachedAnswer(rendered, options.now(), options.ceiling));
      const overtaken = rendered.tags.some((tag) => Math.max(changedAt.get(tag) ?? 0, clearedAt) > startedAt);
      if (!overtaken && answer.bytes <= options.bytes) keep(key, answer);
      return { shared: answer };
    } finally {
      flying -= 1;
      if (flights.get(key)?.startedAt === startedAt) flights.delete(key);
      if (flying === 0) changedAt.clear();
    }
  }

  return {
    /** What is kept and still fresh: costs no query and no rendering. */
    find(key: string): CachedAnswer | undefined {
      const answer = answers.get(key);
      if (!answer) return undefined;
      if (answer.expiresAt <= options.now()) {
        drop(key);
        return undefined;
      }
      if (key !== newest) {
        answers.delete(key);
        answers.set(key, answer);
        newest = key;
      }
      return answer;
    },

    /** Whether it is time to make it anew, and nobody does so yet. */
    wantsRenewal: (key: string, answer: CachedAnswer) => answer.staleAt <= options.now() && !flights.has(key),

    /** Renders, once for all who ask meanwhile. What only one visitor may have is rendered for each of them. */
    async load(key: string, render: () => Promise<Rendered>): Promise<Loaded> {
      const waiting = flights.get(key);
      if (waiting && waiting.startedAt === changes) {
        const loaded = await waiting.result;
        return 'shared' in loaded ? loaded : { own: await render() };
      }
      const startedAt = changes;
      const result = fly(key, startedAt, render);
      flights.set(key, { startedAt, result });
      return result;
    },

    /** Ends all that was made of `tag`, and keeps what is being rendered right now from being kept. */
    invalidate(tag: string) {
      changes += 1;
      if (flying > 0) changedAt.set(tag, changes);
      for (const key of [...(keysOf.get(tag) ?? [])]) drop(key);
    },

    clear() {
      changes += 1;
      clearedAt = changes;
      for (const key of [...answers.keys()]) drop(key);
      flights.clear();
    },

    /** An answer in the cache holds more bytes than when it came, since an encoding was added to it. */
    grew(answer: CachedAnswer, key: string, bytes: number) {
      if (answers.get(key) !== answer) return;
      held += bytes;
      shrink();
    },

    size: () => ({ answers: answers.size, bytes: held, tags: keysOf.size, flights: flying }),
  };
}
