import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** The page of each kind of object, by its reference in the audit trail. */
const PAGES: Record<string, (id: string) => string> = {
  announcement: () => '/announcements',
  books: () => '/books',
  creator: (id) => (/^\d+$/.test(id) ? `/creators/${id}` : `/creators?search=${id}`),
  email: () => '/mail',
  episode: (id) => `?search=${id}`,
  job: () => '/jobs',
  payout: () => '/payouts?status=all',
  queue: (id) => `/jobs?queue=${id}`,
  report: () => '/reports',
  'rss-import': () => '/imports',
  show: (id) => `?search=${id}`,
  'subscribers-import': () => '/imports',
  switch: () => '/flags',
  transfers: () => '/payouts?status=all',
  user: (id) => `/users/${id}`,
};
const SHORT = 8;
const isUuid = (id: string) => /^[0-9a-f]{8}-/.test(id);

/** The object of an operation, `user/7`, as words and a link to its page. */
export function OperationTarget({ target }: { target: string }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const [thing = '', id = ''] = target.split(/\/(.*)/s);
  const page = PAGES[thing]?.(id);
  if (page === undefined) return target;
  const name = `${t(`operations.things.${thing}`)} ${isUuid(id) ? `${id.slice(0, SHORT)}…` : id}`;
  return <Link to={paths.admin(page)}>{name.trim()}</Link>;
}
