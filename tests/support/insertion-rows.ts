import { clips, replacedPassages } from '~/db/schema/insertions';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import type { Creator, makers } from './make';

type Rows = Record<string, [rule: Rule, input: (by?: { token: string }) => Promise<Input> | Input][]>;
type Stage = {
  runtime: Runtime;
  owner: Pick<Creator, 'creatorId' | 'token'>;
  episode: { id: number; productId: number };
  make: Pick<ReturnType<typeof makers>, 'upload'>;
};

/** The rows of the authorization matrix about clips and the places where they play. */
export function insertionRows({ runtime, owner, episode, make }: Stage) {
  const clip = async () => {
    const values = { creatorId: owner.creatorId, name: 'Clip', origin: 'upload' as const, status: 'ready' as const };
    const [row] = await runtime.db.insert(clips).values(values).returning({ id: clips.id });
    return row!;
  };
  const clipKey = async (by = owner as { token: string }) => make.upload(by, 'insertion_audio');
  const place = () => ({ id: episode.id });
  const show = () => ({ productId: episode.productId });
  const passage = async () => {
    const values = { creatorId: owner.creatorId, episodeId: episode.id, fromMs: 0, toMs: 1000 };
    const [row] = await runtime.db.insert(replacedPassages).values(values).returning({ id: replacedPassages.id });
    return row!;
  };
  return {
    'insertionPoints.ofEpisode': [['ownReaders', place]],
    'insertionPoints.toReview': [['ownReaders', show]],
    'insertionPoints.slots': [['ownReaders', show]],
    // outside the episode
    'insertionPoints.save': [['refusedWriters', () => ({ ...place(), points: [0] })]],
    'insertionPoints.saveSlots': [['owner', () => ({ ...show(), rules: [] })]],
    // the format of its file is not known
    'insertionPoints.prepareSound': [['refusedWriters', async () => ({ ...place(), clipId: (await clip()).id })]],
    'passages.replace': [['refusedWriters', () => ({ ...place(), fromMs: 0, toMs: 1e8 })]],
    'passages.replaceInAll': [
      ['refusedWriters', () => ({ ...show(), episodeIds: [episode.id], fromMs: 0, toMs: 1e8 })],
    ],
    'passages.restore': [['owner', passage]],
    'clips.list': [['clip.read', () => ({})]],
    'clips.create': [['creators', async (by) => ({ name: 'Clip', clipKey: await clipKey(by) })]],
    // its file does not exist
    'clips.cut': [['refusedWriters', () => ({ name: 'Clip', episodeId: episode.id, startMs: 0, endMs: 2000 })]],
    'clips.rename': [['owner', async () => ({ ...(await clip()), name: 'Other name' })]],
    'clips.remove': [['owner', clip]],
  } satisfies Rows;
}
