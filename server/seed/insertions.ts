import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays } from '~/db/schema/renditions';
import { DAYS, dayAfter, earlier, utcDay } from '../base/time';
import { createClip } from '../domain/insertions/create-clip';
import { promiseNoInsertions } from '../domain/insertions/promise-no-insertions';
import { createCampaign } from '../domain/insertions/save-campaign';
import * as schema from '../domain/insertions/schema';
import { endCampaign } from '../domain/insertions/switch-campaign';
import { lookupProductBySlug } from '../domain/products/queries';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { upload } from './actions';
import type { DemoPerson } from './demo-types';
import { seededRandom } from './random';
import type { Compose } from './tunes';

const CREATOR = 'lucia@altavoz.example';
const SHOW = 'postales-sonoras';
/** A paid show that promises its subscribers no insertions. */
const PROMISING = 'noches-de-taller';
const SECONDS_OF_CLIP = 15;
const COUNTRIES = ['ES', 'MX', 'AR', 'CO'];
const APPS = ['spotify', 'apple_podcasts', 'pocket_casts'];

/** Days from today. `heard`: impressions by day, before today. */
type DemoCampaign = {
  name: string;
  clip: string;
  place: 'pre' | 'post';
  kind?: 'fallback';
  days?: [first: number, last: number];
  cap?: number;
  isEnded?: boolean;
  heard?: { days: number; most: number };
};
const CAMPAIGNS: readonly DemoCampaign[] = [
  {
    name: 'Bodegas Mar',
    clip: 'Bodegas Mar',
    place: 'pre',
    days: [-20, 20],
    cap: 20_000,
    heard: { days: 20, most: 240 },
  },
  { name: 'Festival de la escucha', clip: 'Festival de la escucha', place: 'pre', days: [30, 44] },
  {
    ...{ name: 'Librería La Ola', clip: 'Librería La Ola', place: 'post', days: [-60, -31], isEnded: true },
    heard: { days: 60, most: 130 },
  },
  { name: 'Suscríbete a Noches de taller', clip: 'Suscríbete', place: 'post', kind: 'fallback' },
];

/** Campaigns of one show: a running one, a scheduled one, one that has ended, and a fallback. The promise of another. */
export async function seedInsertions(runtime: Runtime, cast: readonly DemoPerson[], compose: Compose): Promise<void> {
  const person = cast.find(({ email }) => email === CREATOR);
  if (!person) return;
  const ctx = await actAs(runtime, person);
  const { creatorId } = requireCreator(ctx);
  const found = await lookupProductBySlug(ctx, creatorId, SHOW);
  if (!found) return;
  const promising = await lookupProductBySlug(ctx, creatorId, PROMISING);
  if (promising) await promiseNoInsertions(ctx, { productId: promising.product.id, isPromised: true });
  for (const campaign of CAMPAIGNS) await ensureCampaign(ctx, { campaign, productId: found.product.id, compose });
}

type Planned = { campaign: DemoCampaign; productId: number; compose: Compose };

async function ensureCampaign(ctx: Ctx, { campaign, productId, compose }: Planned): Promise<void> {
  const { name, clip, days, heard, isEnded, ...values } = campaign;
  const { productId: ofShow, name: named } = insertionCampaigns;
  const known = and(eq(ofShow, productId), eq(named, name));
  if ((await ctx.db.$count(insertionCampaigns, known)) > 0) return;
  const bytes = await compose(`insertions/${clip}`, SECONDS_OF_CLIP);
  const file = { purpose: 'insertion_audio', name: `${clip}.mp3`, type: 'audio/mpeg', bytes } as const;
  const { id: clipId } = await createClip(ctx, { name: clip, clipKey: await upload(ctx, file), isRecorded: false });
  const today = utcDay(ctx.now());
  const period = days && { firstDay: dayAfter(today, days[0]), lastDay: dayAfter(today, days[1]) };
  const input = schema.createCampaign.parse({ ...values, ...period, name, productId, clipIds: [clipId] });
  // a campaign that is over was made before it began
  const at = { ...ctx, now: () => (days && days[0] < 0 ? earlier(ctx.now(), DAYS(1 - days[0])) : ctx.now()) };
  const { id } = await createCampaign(at, input);
  if (heard) await insertImpressions(ctx, { id, productId, heard, last: Math.min(0, days![1]) });
  if (isEnded) await endCampaign(ctx, { id });
}

type Heard = { id: number; productId: number; heard: { days: number; most: number }; last: number };

/** Past impressions, which nobody can make now. */
async function insertImpressions(ctx: Ctx, { id, productId, heard, last }: Heard): Promise<void> {
  const published = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), eq(episodes.status, 'published'), eq(episodes.type, 'public')))
    .orderBy(episodes.id)
    .limit(4);
  const random = seededRandom(`impressions ${id}`);
  const rows = Array.from({ length: heard.days + last }, (_, i) => dayAfter(utcDay(ctx.now()), i - heard.days)).flatMap(
    (day) =>
      published.flatMap(({ id: episodeId }, nth) =>
        COUNTRIES.map((country, i) => ({
          ...{ campaignId: id, day, episodeId, country, app: APPS[Math.floor(random.next() * APPS.length)]! },
          impressions: 1 + Math.floor((random.next() * heard.most) / ((nth + 1) * (i + 1) * 4)),
        })),
      ),
  );
  if (rows.length === 0) return;
  await ctx.db.insert(impressionDays).values(rows);
  const impressions = rows.reduce((sum, row) => sum + row.impressions, 0);
  await ctx.db.update(insertionCampaigns).set({ impressions }).where(eq(insertionCampaigns.id, id));
}
