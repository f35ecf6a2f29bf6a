import { randomUUID } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { promos } from '~/db/schema/episode-parts';
import { campaignClips, clips, insertionCampaigns } from '~/db/schema/insertions';
import { outbox } from '~/db/schema/notifications';
import { recommendations } from '~/db/schema/recommendations';
import { utcDay } from '~/server/base/time';
import { cast } from '../../support/cast';
import type { Creator } from '../../support/make';
import { mp3 } from '../../support/mp3';

export type Publisher = Creator & { show: { id: number; slug: string; name: string }; episodeIds: number[] };

/** Creators with a public show that has a promo, and what tests of recommendations need. */
export async function recommendationStage() {
  const stage = await cast();
  const { runtime, make, clock } = stage;
  const { db } = runtime;
  const sound = mp3(10);

  async function publisher(name: string, { hasPromo = true } = {}): Promise<Publisher> {
    const person = await make.creator({ name: `${name} Writer` });
    const show = await make.product(person, { name, language: 'en' });
    const rows = await make.episodes(show, 3);
    const episodeIds = rows.map(({ id }) => id).toSorted((a, b) => a - b);
    if (hasPromo) await addPromo(person, episodeIds[0]!);
    return { ...person, show, episodeIds };
  }

  async function addPromo({ creatorId }: Creator, episodeId: number) {
    const audioKey = `audio/${creatorId}/${episodeId}/promo/${randomUUID().replaceAll('-', '')}.mp3`;
    await runtime.ports.storage.put(audioKey, sound, { contentType: 'audio/mpeg' });
    const file = { audioKey, audioBytes: sound.length, durationMs: 10_000, createdAt: clock.now };
    await db.insert(promos).values({ episodeId, creatorId, ...file });
    return audioKey;
  }

  const ask = (by: Publisher, of: Publisher, over: Record<string, unknown> = {}) =>
    by.api.recommendations.request({
      ...{ productId: by.show.id, recommendedId: of.show.id, firstDay: utcDay(clock.now) },
      ...over,
    });

  /** A recommendation that was accepted. @returns its id */
  async function agree(by: Publisher, of: Publisher, over: Record<string, unknown> = {}) {
    const { id } = await ask(by, of, over);
    await of.api.recommendations.accept({ id });
    return id;
  }

  async function rowOf(id: number) {
    const [row] = await db.select().from(recommendations).where(eq(recommendations.id, id));
    return row!;
  }

  /** The campaigns of a show, with the files of their clips. */
  async function campaignsOf({ show }: Publisher) {
    const rows = await db
      .select({ campaign: insertionCampaigns, clip: clips })
      .from(insertionCampaigns)
      .innerJoin(campaignClips, eq(campaignClips.campaignId, insertionCampaigns.id))
      .innerJoin(clips, eq(clips.id, campaignClips.clipId))
      .where(eq(insertionCampaigns.productId, show.id))
      .orderBy(asc(insertionCampaigns.id));
    return rows;
  }

  const emailsTo = (...people: { email: string }[]) =>
    db
      .select({ to: outbox.to, subject: outbox.subject, text: outbox.text })
      .from(outbox)
      .where(
        inArray(
          outbox.to,
          people.map(({ email }) => email),
        ),
      )
      .orderBy(asc(outbox.createdAt), asc(outbox.id));

  return { ...stage, db, sound, publisher, addPromo, ask, agree, rowOf, campaignsOf, emailsTo };
}
