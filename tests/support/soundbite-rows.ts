import { eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { soundbites } from '~/db/schema/soundbites';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Rows = Record<string, [rule: Rule, input: () => Promise<Input> | Input][]>;
type Stage = {
  runtime: Runtime;
  owner: { creatorId: number };
  show: { slug: string };
  episode: { id: number; slug: string };
  domain: { domain: string };
};

/** The rows of the authorization matrix about soundbites and their pages. */
export function soundbiteRows({ runtime, owner, show, episode, domain }: Stage) {
  const soundbite = async () => {
    const [{ sourceKey } = { sourceKey: null }] = await runtime.db
      .select({ sourceKey: episodes.audioKey })
      .from(episodes)
      .where(eq(episodes.id, episode.id));
    const [row] = await runtime.db
      .insert(soundbites)
      .values({
        ...{ creatorId: owner.creatorId, episodeId: episode.id, title: 'A', startMs: 0, endMs: 9000 },
        ...{ sourceKey: sourceKey ?? '', audioKey: 'audio/1/1/soundbites/a.mp3', audioBytes: 1 },
      })
      .returning({ id: soundbites.id });
    return row!;
  };
  const passage = { episodeId: episode.id, title: 'A', startMs: 0, endMs: 9000 };
  const page = async () => ({ ...domain, slug: show.slug, episodeSlug: episode.slug, ...(await soundbite()) });
  return {
    'soundbites.list': [['ownReaders', () => ({ episodeId: episode.id })]],
    // its file does not exist
    'soundbites.add': [['refusedWriters', () => passage]],
    'soundbites.rename': [['owner', async () => ({ ...(await soundbite()), title: 'B' })]],
    'soundbites.remove': [['owner', soundbite]],
    'pages.soundbite': [['everyone', page]],
  } satisfies Rows;
}
