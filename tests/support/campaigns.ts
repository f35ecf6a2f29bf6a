import type { Database } from '~/db/client';
import { clips, type insertionCampaigns } from '~/db/schema/insertions';

type Show = { creatorId: number; productId: number };

/** A clip that is ready, without a file. */
export async function insertClip(
  db: Database,
  creatorId: number,
  over: Partial<typeof clips.$inferInsert> = {},
): Promise<number> {
  const values = { creatorId, name: 'Anuncio', origin: 'upload', status: 'ready', durationMs: 20_000 } as const;
  const [row] = await db
    .insert(clips)
    .values({ ...values, ...over })
    .returning({ id: clips.id });
  return row!.id;
}

/** The row of a campaign that plays before all episodes, without an end. */
export function campaignRow(
  show: Show,
  over: Partial<typeof insertionCampaigns.$inferInsert> = {},
): typeof insertionCampaigns.$inferInsert {
  return {
    ...show,
    ...{ kind: 'campaign', name: 'Bodegas Mar', isComplete: true, isActive: true, place: 'pre', number: 0 },
    ...{ selection: 'all', firstDay: '2026-01-01', rank: 1 },
    ...{ inPublicFeed: true, inPrivateFeeds: true, inWebPlayer: true },
    ...over,
  };
}
