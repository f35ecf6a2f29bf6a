/** What a page of statistics shows, as its address names it. */
export const METRIC_PARAMS = ['from', 'to', 'zone', 'granularity', 'country', 'app'] as const;
export type MetricParam = (typeof METRIC_PARAMS)[number];
export type MetricQuery = Partial<Record<MetricParam, string>>;

/** The filters that a reader can remove one by one. */
export const METRIC_FILTERS = ['country', 'app'] as const;

/** Empty fields of a form count as missing ones. */
export function metricQuery(search: URLSearchParams): MetricQuery {
  const known = METRIC_PARAMS.flatMap((name) => {
    const value = search.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** A link to the same page with another choice; null removes one. */
export function withMetric(query: MetricQuery, changes: Partial<Record<MetricParam, string | null>>): string {
  const next = { ...query, ...changes };
  const params = METRIC_PARAMS.flatMap((name) => (next[name] ? [[name, next[name]]] : []));
  return `?${new URLSearchParams(params)}`;
}

const DAYS_OF = { week: 7, month: 30, quarter: 90, year: 365 } as const;
export type Preset = keyof typeof DAYS_OF | 'all';
export const PRESETS = [...(Object.keys(DAYS_OF) as (keyof typeof DAYS_OF)[]), 'all'] as const;

type Shown = { from: string; to: string };
type Known = { today: string; since: string | null };

/** The first day of a period that ends today. */
export function presetStart(preset: Preset, { today, since }: Known): string {
  return preset === 'all' ? (since ?? today) : dayBefore(today, DAYS_OF[preset] - 1);
}

/** The preset that a period is, if it is one. */
export function presetOf({ from, to }: Shown, known: Known): Preset | null {
  if (to !== known.today) return null;
  return PRESETS.find((preset) => presetStart(preset, known) === from) ?? null;
}

function dayBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}
