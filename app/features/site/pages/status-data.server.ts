import { data } from '@remix-run/node';
import type { RssItem } from '~/app/features/site/blog/rss.server';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks, sitePagePath } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import type { Prefix } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import { formatDate, formatNumber } from '~/server/base/formats';
import { escapeHtml } from '~/server/base/html';
import { type StatusDay, shareOf, stateOfDay, totalsOf } from '~/server/domain/status/rules';
import { STATUS_LIMITS } from '~/server/limits/status';
import type { Caller } from '~/server/trpc/caller';
import { barsOf } from './status-bars';

type Status = Awaited<ReturnType<Caller['status']['view']>>;
type Component = Status['components'][number];
type Incident = Status['incidents'][number];

/** Cached like other pages, but not shown while the database is away. */
const TAGS = { headers: { 'x-cache-tags': 'status live' } };
const MINUTE = 60_000;

/** `/status`. All texts are ready, so that browsers do not load dates and numbers twice. */
export async function statusData(door: Door) {
  const { language } = door.context;
  const t = translator(language, 'status');
  const status = await door.api.status.view();
  const { incidents } = status;
  const components = withoutTimeBefore(status.components);
  const described = { title: t('title'), description: t('description') };
  const pathIn = (prefix: Prefix) => sitePagePath(prefix, 'status');
  const feed = `${pathIn(`/${language}`)}/feed.xml`;
  const metadata = {
    ...(await sitePageMetadata(door, { ...described, pathIn })),
    feed: { title: t('feed'), url: door.context.urls.app(feed) },
  };
  return data(
    {
      metadata,
      links: siteLinks(door),
      now: sentenceOf(door, status),
      checkedAt: status.checkedAt && timeIn(door, status.checkedAt),
      minutes: STATUS_LIMITS.slot / MINUTE,
      days: components[0]?.days.length ?? STATUS_LIMITS.days,
      components: components.map((component) => toComponent(door, component, status.isStale)),
      incidents: incidents.map((incident) => toIncident(door, incident)),
      feed,
    },
    TAGS,
  );
}

/** Younger installations show the days since their first check, but not so few that a bar is as wide as the page. */
function withoutTimeBefore(components: Component[]): Component[] {
  const firsts = components.map(({ days }) => days.findIndex((day) => stateOfDay(day) !== 'none'));
  const start = Math.min(
    ...firsts.map((first) => (first < 0 ? STATUS_LIMITS.days : first)),
    STATUS_LIMITS.days - FEWEST_DAYS,
  );
  return components.map(({ days, ...component }) => ({ ...component, days: days.slice(start) }));
}
const FEWEST_DAYS = 14;

export type StatusView = Omit<Awaited<ReturnType<typeof statusData>>['data'], 'metadata'>;

const timeIn = ({ context }: Door, at: Date) =>
  `${formatDate(at, context.locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

/** The one sentence about the present, and its kind. A stale check says nothing about it. */
function sentenceOf(door: Door, { now, checkedAt, isStale, components, incidents }: Status) {
  const { context } = door;
  const t = translator(context.language, 'status');
  const failing = components.filter(({ isOk }) => !isOk);
  const open = incidents.find(({ resolvedAt }) => resolvedAt === null);
  if (!checkedAt) return { kind: 'unknown' as const, text: t('now.none') };
  if (isStale) {
    const count = Math.floor((now.getTime() - checkedAt.getTime()) / MINUTE);
    return { kind: 'unknown' as const, text: t('now.stale', { count }) };
  }
  if (failing.length > 0) {
    const what = failing.map(({ component, failingSince }) =>
      t('now.since', { component: t(`component.${component}`), since: timeIn(door, failingSince ?? checkedAt) }),
    );
    return { kind: 'failing' as const, text: t('now.failing', { what: what.join('; ') }) };
  }
  if (open) return { kind: 'failing' as const, text: t('now.incident', { title: titleIn(open, context.language) }) };
  return { kind: 'ok' as const, text: t('now.ok') };
}

const LIMITS_OF: Record<Component['component'], number> = {
  database: STATUS_LIMITS.answer / 1000,
  storage: STATUS_LIMITS.answer / 1000,
  jobs: STATUS_LIMITS.lateJob / MINUTE,
  emails: 0,
  payments: 0,
};

function toComponent(door: Door, { component, isOk, ms, failingSince, days }: Component, isStale: boolean) {
  const t = translator(door.context.language, 'status');
  const { passed, failed, missed } = totalsOf(days);
  const made = passed + failed;
  const kind = isStale ? 'unknown' : isOk ? 'ok' : 'failing';
  const name = t(`component.${component}`);
  const count = (state: ReturnType<typeof stateOfDay>) => days.filter((day) => stateOfDay(day) === state).length;
  const counts = { ok: count('ok'), failed: count('failed'), gap: count('gap'), none: count('none') };
  const facts = [
    t(`what.${component}`, { count: LIMITS_OF[component] }),
    kind === 'ok' && ms !== null && component !== 'jobs' && t('answered', { ms }),
  ];
  const shares = [
    t('passed', { percent: percentIn(door, shareOf(passed, made)), count: made }),
    missed > 0 && t('missed', { percent: percentIn(door, 10_000 - (shareOf(made, made + missed) ?? 0)) }),
  ];
  return {
    ...{ component, kind, name },
    state: t(`state.${kind}`, { since: failingSince ? timeIn(door, failingSince) : '' }),
    what: facts.filter(Boolean).join(' '),
    shares: shares.filter(Boolean).join(' '),
    label: t('bars', { component: name, days: days.length, ...counts }),
    bars: barsOf(days),
    from: dateIn(days[0]!.day, door.context.locale),
    days: days.filter(({ failed, missed }) => failed + missed > 0).map((day) => dayText(door, day)),
  };
}

const percentIn = ({ context }: Door, share: number | null) =>
  formatNumber((share ?? 0) / 10_000, context.locale, { style: 'percent', maximumFractionDigits: 2 });

/** What failed on a day, and for how long there is no data. */
function dayText({ context }: Door, { day, passed, failed, missed }: StatusDay) {
  const { language, locale } = context;
  const t = translator(language, 'status');
  const minutes = (missed * STATUS_LIMITS.slot) / MINUTE;
  const [value, unit] = minutes < 120 ? [minutes, 'minute'] : [minutes / 60, 'hour'];
  const time = formatNumber(value, locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 });
  const parts = [
    failed > 0 && t('day.failed', { count: failed, checks: passed + failed }),
    missed > 0 && t('day.gap', { time }),
  ];
  return { day, date: dateIn(day, locale), text: parts.filter(Boolean).join('; ') };
}

const dateIn = (day: string, locale: Door['context']['locale']) =>
  formatDate(new Date(`${day}T00:00:00Z`), locale, { dateStyle: 'long', timeZone: 'UTC' });

const titleIn = ({ titleEn, titleEs }: Incident, language: Language) => ({ en: titleEn, es: titleEs })[language];
const paragraphsIn = ({ textEn, textEs }: Incident['updates'][number], language: Language) =>
  ({ en: textEn, es: textEs })[language].split(/\n\s*\n/);

function toIncident(door: Door, incident: Incident) {
  const { language } = door.context;
  const t = translator(language, 'status');
  const { id, severity, components, startedAt, resolvedAt, updates } = incident;
  const from = timeIn(door, startedAt);
  const names = components.map((component) => t(`component.${component}`)).join(', ');
  return {
    ...{ id, isOpen: resolvedAt === null, severity: t(`severity.${severity}`), title: titleIn(incident, language) },
    period: resolvedAt ? t('incident.resolved', { from, to: timeIn(door, resolvedAt) }) : t('incident.open', { from }),
    concerns: names && t('incident.concerns', { components: names }),
    updates: updates.map((update) => ({
      ...{ time: timeIn(door, update.at), at: update.at.toISOString() },
      paragraphs: paragraphsIn(update, language),
    })),
  };
}

/** For the feed: an item for each text, the newest first, so that readers also get what follows and the end. */
export function incidentItems(door: Door, incidents: Incident[]): RssItem[] {
  const { language, urls } = door.context;
  const page = urls.app(sitePagePath(`/${language}`, 'status'));
  const items = incidents.flatMap((incident) => {
    const { title, period, concerns } = toIncident(door, incident);
    const description = [period, concerns].filter(Boolean).join('. ');
    const texts = incident.updates.map((update, i) => ({
      ...{ title, description, publishedAt: update.at, tags: [] },
      url: `${page}#incident-${incident.id}-${i + 1}`,
      html: paragraphsIn(update, language)
        .map((text) => `<p>${escapeHtml(text)}</p>`)
        .join(''),
    }));
    return texts.toReversed();
  });
  return items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
}
