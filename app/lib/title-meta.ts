import type { MetaFunction } from '@remix-run/node';

/** The page's title from its loader's `title`. Search engines must not index pages that need a login. */
export const titleMeta: MetaFunction = ({ data }) => [
  { title: `${titleIn(data)}Altavoz` },
  { name: 'robots', content: 'noindex' },
];

function titleIn(data: unknown): string {
  const title = typeof data === 'object' && data !== null && 'title' in data ? data.title : '';
  return typeof title === 'string' && title ? `${title} · ` : '';
}
