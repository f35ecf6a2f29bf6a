import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** The page of each kind of object, by its reference in the audit trail; null if it has none. */
const PAGES: Record<string, ((id: string) => string) | null> = {
  announcement: () => '/announcements',
  books: () => '/books',
  creator: (id) => (/^\d+$/.test(id) ? `/creators/${id}` : `/creators?search=${id}`),
  dispute: null,
  email: () => '/mail',
  episode: (id) => `?search=${id}`,
  incident: null,
  job: () => '/jobs',
  payout: () => '/payouts?status=all',
  queue: (id) => `/jobs?queue=${id}`,
  report: () => '/reports',
  'rss-import': () => '/imports',
  show: (id) => `?search=${id}`,
  stripe: null,
  'subscribers-import': () => '/imports',
  switch: () => '/flags',
  transfers: () => '/payouts?status=all',
  user: (id) => `/users/${id}`,
  warning: null,
};
const SHORT = 8;
const isUuid = (id: string) => /^[0-9a-f]{8}-/.test(id);

/** The object of an operation, `user/7`, as words, and a link if it has a page. */
export function OperationTarget({ target }: { target: string }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const [thing = '', id = ''] = target.split(/\/(.*)/s);
  const page = PAGES[thing];
  if (page === undefined) return target;
  const name = `${t(`operations.things.${thing}`)} ${isUuid(id) ? `${id.slice(0, SHORT)}…` : id}`.trim();
  return page ? <Link to={paths.admin(page(id))}>{name}</Link> : name;
}
