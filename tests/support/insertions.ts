import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { campaignClips, clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { bufferSource } from '~/server/audio/bytes';
import { indexMp3 } from '~/server/audio/indexing';
import type { BuiltRendition } from '~/server/domain/insertions/renditions';
import { encodingOf, loudnessStep } from '~/server/domain/insertions/rules';
import type { Runtime } from '~/server/runtime/runtime';
import { lameFrames } from './encodings';
import type { makers } from './make';

type Make = ReturnType<typeof makers>;
type CampaignValues = Partial<typeof insertionCampaigns.$inferInsert>;
type EpisodeValues = NonNullable<ReturnType<NonNullable<Parameters<Make['episodes']>[2]>>>;

const FORM = { sampleRate: 44_100, channels: 2, bitrate: 128_000 } as const;
const LAME = { bitrate: 128 } as const;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const encoded = new Map<string, Promise<Buffer>>();
function sound(seconds: number, seed: number): Promise<Buffer> {
  const key = `${seconds} ${seed}`;
  const made = encoded.get(key) ?? lameFrames({ sampleRate: 44_100, channels: 2, seconds, seed }, LAME);
  encoded.set(key, made);
  return made;
}

/** Creates episodes with sound, clips and campaigns in a test's database. */
export function insertionMakers({ db, ports: { storage } }: Runtime, make: Pick<Make, 'episodes'>) {
  /** An episode with real sound, a quarter of a minute unless told otherwise. */
  async function soundEpisode(
    show: { id: number; creatorId: number },
    { seconds = 15, seed = 1, file = null as Buffer | null, ...over }: EpisodeValues & SoundOptions = {},
  ) {
    const body = file ?? (await sound(seconds, seed));
    const found = await indexMp3(bufferSource(body));
    if (!found.ok) throw new Error(found.reason);
    const { durationMs, audioStart: headBytes } = found.mp3;
    const unique = createHash('sha256').update(`${show.id} ${Math.random()}`).digest('hex').slice(0, 12);
    const values = {
      audioKey: `audio/${show.creatorId}/${unique}/${sha256(body)}.mp3`,
      audioSha256: sha256(body),
      audioBytes: body.length,
      slug: `sonido-${unique}`,
      loudnessTenths: -160,
      durationMs,
      headBytes,
      ...FORM,
      ...over,
    };
    const [row] = await make.episodes(show, 1, () => values);
    await storage.put(row!.audioKey!, body, { contentType: 'audio/mpeg' });
    return { ...row!, body };
  }

  /** A clip that is ready in the encoding of `soundEpisode`. */
  async function clip({ creatorId }: { creatorId: number }, { seconds = 2, seed = 3, name = 'Cuña' } = {}) {
    const body = await sound(seconds, seed);
    const [row] = await db
      .insert(clips)
      .values({ creatorId, name, origin: 'upload', status: 'ready', durationMs: seconds * 1000 })
      .returning();
    const audioKey = `audio/${creatorId}/clips/${row!.id}/${sha256(body)}.mp3`;
    await storage.put(audioKey, body, { contentType: 'audio/mpeg' });
    const facts = { encoding: encodingOf(FORM), loudness: loudnessStep(-160), status: 'ready' as const };
    const file = { audioKey, audioBytes: body.length, audioSha256: sha256(body), durationMs: seconds * 1000 };
    const [version] = await db
      .insert(clipVersions)
      .values({ clipId: row!.id, ...facts, ...file })
      .returning();
    return { id: row!.id, versionId: version!.id, body };
  }

  /** A campaign that runs now in the public feed, before all episodes of a show. */
  async function campaign(
    show: { id: number; creatorId: number },
    played: { id: number }[],
    over: CampaignValues = {},
  ) {
    const [row] = await db
      .insert(insertionCampaigns)
      .values({
        creatorId: show.creatorId,
        productId: show.id,
        ...{ kind: 'campaign', name: 'Patrocinio', isComplete: true, isActive: true, place: 'pre', number: 0 },
        ...{ selection: 'all', rank: 1, inPublicFeed: true, inPrivateFeeds: false, inWebPlayer: false },
        ...over,
      })
      .returning();
    const values = played.map(({ id }, rank) => ({ campaignId: row!.id, clipId: id, rank }));
    if (values.length > 0) await db.insert(campaignClips).values(values);
    return row!;
  }

  return { soundEpisode, clip, campaign };
}

type SoundOptions = { seconds?: number; seed?: number; file?: Buffer | null };

/** All bytes of a rendition. */
export async function assembled(storage: ObjectStore, { segments }: Pick<BuiltRendition, 'segments'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { from, bytes } of segments) {
    const range = 'key' in from && { start: from.start, end: from.start + bytes - 1 };
    parts.push(
      'memory' in from ? Buffer.from(from.memory) : await buffer(await storage.read(from.key, range as never)),
    );
  }
  return Buffer.concat(parts);
}
