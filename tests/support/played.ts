import type { PlayFacts } from '~/db/values/statistics';
import type { Runtime } from '~/server/runtime/runtime';

export const FACTS: PlayFacts = {
  ...{ country: 'ES', region: 'ES-MD', app: 'spotify', device: 'phone', os: 'ios', source: 'feed', referrer: null },
};

type Episode = { id: number; creatorId: number; productId: number };
let listener = 0;

/** Downloads and listens of different people, through the recorders. Times as `2026-03-02 23:50`, in UTC. */
export function playing({ recorders }: Pick<Runtime, 'recorders'>, { id, creatorId, productId }: Episode) {
  const at = (time: string) => new Date(`${time.replace(' ', 'T')}Z`);
  return {
    async download(time: string, facts: Partial<PlayFacts> = {}) {
      listener += 1;
      const listenerKey = listener.toString(16).padStart(32, '0');
      const episode = { id, creatorId, productId, bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 };
      await recorders.downloads.record({
        ...{ day: time.slice(0, 10), episode, listenerKey, formerKey: null, userAgent: 'AntennaPod/3.1.2' },
        ...{ spans: [{ from: 1000, to: 1_921_000 }], at: at(time), facts: { ...FACTS, ...facts } },
      });
    },
    async listen(time: string, facts: Partial<PlayFacts> = {}) {
      listener += 1;
      const session = `session-${listener}`;
      const played = { ...FACTS, source: 'player' as const, ...facts };
      await recorders.listens.record({ creatorId, productId, episodeId: id, session, at: at(time), facts: played });
    },
  };
}
