import { AddressLink } from '~/app/components/address-link';
import { connectionProblem, isNetworkError, useRetry } from '~/app/lib/offline';
import { useAppUrl } from '~/app/lib/root-data';
import { Form, isRouteErrorResponse, useLocation, useRevalidator } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { SiteShell } from './site-shell';

const PROBLEMS: Record<number, string> = {
  ...{ 401: 'forbidden', 403: 'forbidden', 404: 'notFound', 410: 'gone' },
  451: 'takenDown',
};
const problemOf = (status: number) => PROBLEMS[status] ?? 'unexpected';

/** The tab's title and the sentences for any error that a loader throws. */
export function useProblem(error: unknown) {
  const { t } = useTranslation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const isOffline = isNetworkError(error);
  const title = isOffline
    ? t(`errorPage.${connectionProblem()}`)
    : t(`errorPage.${problemOf(status)}`, { code: status });
  return { status, isOffline, title };
}

/** The error sentences of spec §8, with the next step. `homeName`: whose page it is. The player keeps playing below. */
export function ErrorContent({ status, home, homeName }: { status: number; home: string; homeName?: string }) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  const { pathname, search } = useLocation();
  const problem = problemOf(status);
  const sentence = t(`errorPage.${problem}`, { code: status });
  return (
    <div className="wrap error-page">
      <h1>{problem === 'unexpected' ? t('errorPage.ours') : sentence}</h1>
      <p className="lead">
        {problem === 'unexpected' && `${sentence} `}
        {t(`errorPage.${problem}Help`)}
      </p>
      <Search />
      <p className="actions">
        {problem === 'unexpected' && (
          // the same address again, as a new document
          <a className="button" href={pathname + search}>
            {t('errorPage.retry')}
          </a>
        )}
        <AddressLink className={problem === 'unexpected' ? 'button plain' : 'button'} href={home}>
          {homeName ? t('errorPage.creator', { name: homeName }) : t('errorPage.home')}
        </AddressLink>
        <AddressLink className="quiet-link" href={appUrl + paths.discover}>
          {t('errorPage.discover')}
        </AddressLink>
      </p>
    </div>
  );
}

/** The results are on the app's own host, which is another document for a creator's host. */
function Search() {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  return (
    <Form
      method="get"
      action={appUrl + paths.discover}
      role="search"
      className="copy-row"
      reloadDocument={appUrl !== ''}
    >
      <input
        className="input"
        type="search"
        name="search"
        aria-label={t('errorPage.search')}
        placeholder={t('errorPage.search')}
      />
      <button type="submit" className="button plain">
        {t('errorPage.searchSubmit')}
      </button>
    </Form>
  );
}

export function ErrorPage({ status }: { status: number }) {
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  return (
    <SiteShell>
      <ErrorContent status={status} home={appUrl + paths.home} />
    </SiteShell>
  );
}

/** A page that could not load because the server was unreachable. It loads in place once the connection is back. */
export function OfflinePage() {
  const { t } = useTranslation();
  const { revalidate } = useRevalidator();
  const problem = connectionProblem();
  useRetry(true, revalidate);
  return (
    <SiteShell>
      <div className="wrap error-page">
        <h1>{t(`errorPage.${problem}`)}</h1>
        <p className="lead">{t(`errorPage.${problem}Help`)}</p>
        <button type="button" className="button" onClick={revalidate}>
          {t('errorPage.retry')}
        </button>
      </div>
    </SiteShell>
  );
}
