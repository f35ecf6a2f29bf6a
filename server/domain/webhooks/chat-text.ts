import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { localeOfUser } from '../../base/formats';
import { languagePrefix } from '../../base/public-paths';
import { utcMonth } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { findUser, type UserRow } from '../accounts/base/queries';
import { type CreatorRow, findCreatorRecord } from '../creators/queries';
import { figuresOfMonth } from '../statistics/month-figures';
import { monthName, reportText } from '../statistics/report-text';
import type { ChatService } from './kinds';
import type { LeasedDelivery } from './lease-deliveries';
import { escapeFor, shortenFor } from './rules';

type People = { creator: CreatorRow; owner: UserRow };
/** A sentence, with further ones below it, and the page that it is about. */
type Text = { sentence: string; more?: string[]; url?: string };
type Says = (key: string, params?: Record<string, string | number>) => string;

/** A message for the people in a chat, in the language of the creator's owner. */
export async function chatText(ctx: Ctx, delivery: LeasedDelivery, service: ChatService): Promise<string> {
  const creator = await findCreatorRecord(ctx, delivery.creatorId);
  const owner = await findUser(ctx, creator.userId);
  const says: Says = (key, params) =>
    ctx.translate(`mail:webhook_chat.${key}`, params, owner.language ?? DEFAULT_LANGUAGE);
  const { sentence, more = [], url } = await textOf(ctx, delivery, { people: { creator, owner }, says });
  const lines = [...(delivery.isTest ? [says('test')] : []), sentence, ...more].map((line) => escapeFor(service, line));
  // an address is no text: escaped, it would be another one
  return shortenFor(service, lines.join('\n'), url ? `\n${url}` : '');
}

type Known = { people: People; says: Says };

async function textOf(ctx: Ctx, delivery: LeasedDelivery, { people, says }: Known): Promise<Text> {
  const { type, data, isTest } = delivery;
  if (type === 'report.ready') return reportOf(ctx, { month: String(data.id), isTest }, { people, says });
  if (type === 'subscription.started') {
    const show = isTest ? SAMPLE : await lookupShow(ctx, Number(data.show_id));
    return { sentence: says('subscription', { show: show?.name ?? people.creator.name }) };
  }
  const episode = isTest ? { ...SAMPLE, show: SAMPLE.name, url: undefined } : await lookupEpisode(ctx, Number(data.id));
  if (!episode) return { sentence: says('episodeGone', { creator: people.creator.name }) };
  return { sentence: says('episode', { episode: episode.name, show: episode.show }), url: episode.url };
}

const SAMPLE = { name: 'Altavoz' };

async function lookupShow({ db }: Ctx, productId: number): Promise<{ name: string } | null> {
  const [row] = await db.select({ name: products.name }).from(products).where(eq(products.id, productId));
  return row ?? null;
}

async function lookupEpisode({ db, urls }: Ctx, episodeId: number) {
  const [row] = await db
    .select({
      name: episodes.name,
      slug: episodes.slug,
      show: products.name,
      of: products.slug,
      domain: creators.domain,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(episodes.id, episodeId));
  return row ? { name: row.name, show: row.show, url: urls.episode(row.domain, row.of, row.slug) } : null;
}

type Report = { month: string; isTest: boolean };

/** The first part of the report that the owner gets by email. */
async function reportOf(ctx: Ctx, { month, isTest }: Report, { people, says }: Known): Promise<Text> {
  const { creator, owner } = people;
  const language = owner.language ?? DEFAULT_LANGUAGE;
  const locale = localeOfUser(owner);
  const named = isTest ? utcMonth(ctx.now()) : month;
  const url = ctx.urls.app(`${languagePrefix(language)}/metric/report.pdf?month=${named}`);
  const sentence = says('report', { month: monthName(named, locale), creator: creator.name });
  if (isTest) return { sentence, url };
  const figures = await figuresOfMonth(ctx, { creatorId: creator.id, month, zone: creator.timeZone });
  const t = (key: string, params?: Record<string, string | number>) => ctx.translate(key, params, language);
  const { parts } = reportText({ figures, creator: creator.name }, { t, language, locale });
  return { sentence, more: parts[0]?.sentences ?? [], url };
}
