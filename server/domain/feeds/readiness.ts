import { setImmediate as nextTick } from 'node:timers/promises';
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { type Breach, checkConformance, RULE_FIGURES, RULES } from '../../feed/conformance/check';
import { type Severity, SOURCES } from '../../feed/conformance/rule';
import type { FeedEpisode, FeedShow } from '../../feed/model';
import type { FeedWarning } from '../../feed/writer/warnings';
import { writeFeed } from '../../feed/writer/write-feed';
import { createSlots } from '../../flow/slots';
import { READINESS_LIMITS } from '../../limits/feeds';
import { COVER_LIMITS } from '../../limits/media';
import { authorize } from '../../policy/authorize';
import { whereInPublicFeed, wherePublished } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { storedSide } from '../media/covers';
import { findProductRecord } from '../products/queries';
import type { FindProduct } from '../products/schema';
import { feedOf } from './queries';
import { COVER_RULE, isAboutSpotify, type Remedy, remedyOf } from './remedies';

export type EpisodeName = { id: number; name: string };
/** A broken rule: `count` episodes break it, and the first of them are named. Empty if the show breaks it. */
export type Finding = {
  rule: string;
  source: { name: string; url: string };
  remedy: Remedy;
  severity: Severity;
  count: number;
  episodes: EpisodeName[];
};
/** A cut text (`bytes` is the longest one) or an episode that the written feed leaves out. */
export type Cut = { kind: FeedWarning['kind']; bytes: number; count: number; episodes: EpisodeName[] };

export type Readiness = {
  findings: Finding[];
  cuts: Cut[];
  passed: string[];
  episodesCount: number;
  /** The numbers in the texts of the rules. */
  figures: Readonly<Record<string, number>>;
};

/**
 * Checks the feed that podcast apps get against the rules of Apple, Spotify and the standards. Large feeds are checked
 * in parts, with other requests in between; the result is cached until the show changes.
 * @throws product.not_found
 */
export async function feedReadiness(ctx: Ctx, { id, kind }: FindProduct): Promise<Readiness> {
  const { product: found } = await findProductRecord(ctx, id, kind);
  const product = authorize(ctx, 'product.manage', found);
  const creator = await findCreator(ctx, product.creatorId);
  const key = `${product.version} ${creator.version}`;
  const known = kept.get(product.id);
  if (known?.key === key) return known.readiness;
  const readiness = await withSlot(() => checkFeed(ctx, { product, creator }));
  keepResult(product.id, { key, readiness });
  return readiness;
}

/** One check at a time: each takes about a second of CPU for 2,000 episodes with long notes. */
const withSlot = createSlots(1);
const kept = new Map<number, { key: string; readiness: Readiness }>();

function keepResult(productId: number, result: { key: string; readiness: Readiness }): void {
  kept.delete(productId);
  kept.set(productId, result);
  const [oldest] = kept.keys();
  if (kept.size > READINESS_LIMITS.kept && oldest !== undefined) kept.delete(oldest);
}

type Owner = Parameters<typeof feedOf>[1];
/** GUIDs of the episodes that break a rule, by its name; an empty list if the show breaks it. */
type Broken = Map<string, string[]>;

async function checkFeed(ctx: Ctx, owner: Owner): Promise<Readiness> {
  const { show, pages } = feedOf(ctx, owner);
  const { broken, warnings, episodesCount } = await checkPages(show, pages);
  const side = await storedSide(ctx, owner.product.coverKey);
  if (side !== null && side < COVER_LIMITS.coverMinPixels) broken.set(COVER_RULE, []);
  const cut = groupCuts(warnings);
  const names = await namesOf(ctx, owner.product.id, [...broken.values(), ...cut.map(({ guids }) => guids)]);
  const named = (guids: string[]) => {
    const listed = guids.slice(0, READINESS_LIMITS.named).flatMap((guid) => names.get(guid) ?? []);
    return { count: guids.length, episodes: listed };
  };
  const findings = [...broken].map(([rule, guids]) => ({ ...toFinding(rule), ...named(guids) }));
  const omitted = await listOmitted(ctx, owner.product.id);
  return {
    findings,
    cuts: [...cut.map(({ guids, ...facts }) => ({ ...facts, ...named(guids) })), ...omitted],
    passed: [...Object.keys(RULES), COVER_RULE].filter((rule) => !broken.has(rule) && !isAboutSpotify(rule)),
    episodesCount,
    figures: { ...RULE_FIGURES, coverPixels: COVER_LIMITS.coverMinPixels },
  };
}

/** A show's rules apply to every part; the database's constraints guarantee the rules about all episodes at once. */
async function checkPages(show: FeedShow, pages: AsyncIterable<FeedEpisode[]>) {
  const broken: Broken = new Map();
  const warnings: FeedWarning[] = [];
  let episodesCount = 0;
  const checkPart = (part: FeedEpisode[], isFirst: boolean) => {
    const xml = writeFeed({ ...show, episodes: part }, (warning) => {
      if (warning.guid !== null || isFirst) warnings.push(warning);
    });
    for (const breach of checkConformance(xml.toString())) addBreach(broken, breach, part);
  };
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += READINESS_LIMITS.part) {
      checkPart(page.slice(start, start + READINESS_LIMITS.part), episodesCount === 0 && start === 0);
      await nextTick();
    }
    episodesCount += page.length;
  }
  if (episodesCount === 0) checkPart([], true);
  return { broken, warnings, episodesCount };
}

function addBreach(broken: Broken, { rule, items }: Breach, part: FeedEpisode[]): void {
  const guids = items.flatMap((item) => part[item - 1]?.guid ?? []);
  broken.set(rule, [...(broken.get(rule) ?? []), ...guids]);
}

function toFinding(rule: string): Pick<Finding, 'rule' | 'source' | 'remedy' | 'severity'> {
  const { severity = 'error', source = 'apple' } = RULES[rule] ?? {};
  return { rule, source: SOURCES[source], remedy: remedyOf(rule), severity };
}

/** Warnings of one kind, with the GUIDs of their episodes and the longest text. */
function groupCuts(warnings: FeedWarning[]) {
  return [...new Set(warnings.map(({ kind }) => kind))].map((kind) => {
    const ofKind = warnings.filter((warning) => warning.kind === kind);
    const bytes = Math.max(...ofKind.map((warning) => ('bytes' in warning ? warning.bytes : 0)));
    return { kind, bytes, guids: ofKind.flatMap(({ guid }) => guid ?? []) };
  });
}

async function namesOf(ctx: Ctx, productId: number, lists: string[][]): Promise<Map<string, EpisodeName>> {
  const guids = lists.flatMap((list) => list.slice(0, READINESS_LIMITS.named));
  if (guids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: episodes.id, name: episodes.name, guid: episodes.guid })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), inArray(episodes.guid, guids)));
  return new Map(rows.map(({ guid, id, name }) => [guid, { id, name }]));
}

/** Published public episodes that are left out of feeds because the size of their file is unknown. */
async function listOmitted(ctx: Ctx, productId: number): Promise<Cut[]> {
  const rows = await ctx.db
    .select({ id: episodes.id, name: episodes.name, count: sql<number>`(count(*) over ())::int` })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(
      and(
        eq(episodes.productId, productId),
        wherePublished(),
        ne(episodes.type, 'private'),
        isNull(episodes.earlyUntil),
        sql`(${whereInPublicFeed()}) is not true`,
      ),
    )
    .limit(READINESS_LIMITS.named);
  const [first] = rows;
  if (!first) return [];
  return [
    { kind: 'length_unknown', bytes: 0, count: first.count, episodes: rows.map(({ id, name }) => ({ id, name })) },
  ];
}
