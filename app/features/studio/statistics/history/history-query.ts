/** What the page of a file knows about it from its address: the upload, and what the creator has corrected. */
const PARAMS = ['host', 'date', 'plays', 'episode', 'order', 'period'] as const;
export type HistoryQuery = { statisticsKey: string } & Partial<Record<(typeof PARAMS)[number], string>>;

/** Null before a file was sent; an empty key is refused where it is read. */
export function historyQuery(search: URLSearchParams): HistoryQuery | null {
  const statisticsKey = search.get('file')?.trim();
  if (statisticsKey === undefined) return null;
  const known = PARAMS.flatMap((name) => {
    const value = search.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return { statisticsKey, ...Object.fromEntries(known) };
}

export function withHistory({ statisticsKey, ...query }: HistoryQuery): string {
  const params = PARAMS.flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  return `?${new URLSearchParams([['file', statisticsKey], ...(params as [string, string][])])}`;
}
