import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { insertionCampaigns } from '~/db/schema/insertions';
import { deepSeed } from '../support/deep';
import { audioPath, insertionDoor, range } from '../support/insertion-door';
import { seededInts } from '../support/seeded-ints';

const LISTENERS = 10_000;
const AT_ONCE = 16;
const CAP = 2500;
const stage = await insertionDoor();
const { runtime, creator, campaign, clip, ask, play, newListener, changed, counted, sponsored } = stage;
const { db } = runtime;

/** What is kept of a listener: the addresses, and how many answers had other bytes than theirs. */
type Person = { address: string; paths: Set<string>; wrong: number };

test(`${LISTENERS} listeners with random ranges across five changes get bytes of one rendition each`, async () => {
  const { show, episode, campaign: first } = await sponsored({ cap: CAP });
  const spots = [await clip(creator, { seed: 5 }), await clip(creator, { seconds: 1, seed: 6 })];
  const below = seededInts(deepSeed());
  const ofShow = eq(insertionCampaigns.productId, show.id);
  const wholes = new Map([[audioPath(episode), Promise.resolve(episode.body)]]);
  const wholeAt = (path: string) => {
    const known = wholes.get(path) ?? ask(path, { agent: 'curl/8.5.0' }).then(({ body }) => body);
    wholes.set(path, known);
    return known;
  };
  const people = Array.from(
    { length: LISTENERS },
    (): Person => ({ address: newListener(), paths: new Set(), wrong: 0 }),
  );
  const changes = [
    () => campaign(show, [spots[0]!], { place: 'post', cap: CAP }),
    () => stage.pauseCampaign(first.id),
    () => campaign(show, spots, { kind: 'promo' }),
    () => db.update(insertionCampaigns).set({ silenceBeforeMs: 500 }).where(ofShow),
    () => db.update(insertionCampaigns).set({ isActive: false }).where(ofShow),
    async () => {},
  ];

  async function listen(person: Person): Promise<void> {
    const { address, paths } = person;
    const [start, isWhole] = [below(200_000), below(10) === 0];
    const end = start + below(60_000);
    const { path, body } = await play(audioPath(episode), { address, ...(isWhole ? {} : range(start, end)) });
    paths.add(path);
    const whole = await wholeAt(path);
    if (!body.equals(isWhole ? whole : whole.subarray(start, end + 1))) person.wrong += 1;
  }

  for (const change of changes) {
    const asking = people.filter(() => below(3) === 0);
    const next = async () => {
      for (let person = asking.pop(); person; person = asking.pop()) await listen(person);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    await counted();
    await change();
    changed();
  }

  expect(people.filter(({ paths, wrong }) => paths.size > 1 || wrong > 0)).toEqual([]);
  expect(wholes.size).toBeGreaterThan(3);
  const rows = await db.execute<{ impressions: number; reserved: number; cap: number | null; days: number }>(sql`
    select c.impressions, c.reserved, c.cap, coalesce(sum(i.impressions), 0)::int as days from insertion_campaigns c
    left join impression_days i on i.campaign_id = c.id where c.product_id = ${show.id} group by c.id order by c.id`);
  expect(rows.filter(({ impressions, days }) => impressions !== days)).toEqual([]);
  // all room was reserved, and nothing beyond it
  const capped = rows.filter(({ cap }) => cap !== null);
  expect(capped.map(({ impressions, reserved }) => impressions + reserved)).toEqual([CAP, CAP]);
});
