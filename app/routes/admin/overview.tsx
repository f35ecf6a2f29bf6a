import figures from '~/app/components/figures.module.css';
import { Section } from '~/app/components/page-header';
import classes from '~/app/features/operator/admin/admin.module.css';
import { Operations } from '~/app/features/operator/admin/console-facts';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { FoundThings } from '~/app/features/operator/admin/found-things';
import { SearchForm, wordsOf } from '~/app/features/operator/admin/search-form';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The cases that wait for an operator, and a search over all data. */
export const loader = operatorPage('overview.title', async ({ api, url }) => {
  const words = wordsOf(url);
  return {
    words,
    overview: await api.console.overview(),
    things: words ? await api.console.search({ search: words }) : null,
  };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Overview() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  return (
    <ConsolePage data={data} lead={t('overview.lead')}>
      {({ words, overview, things }) => (
        <>
          <SearchForm label={t('overview.search')} words={words} />
          {things ? <FoundThings things={things} /> : <Waiting overview={overview} />}
        </>
      )}
    </ConsolePage>
  );
}

type Counts = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['found']>['overview'];

function Waiting({ overview }: { overview: Counts }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const counts = [
    ['failedJobs', overview.failedJobs, '/jobs'],
    ['failedEmails', overview.failedEmails, '/mail'],
    ['failedImports', overview.failedImports, '/imports'],
    ['payoutsRequested', overview.payoutsRequested, '/payouts'],
    ['payoutsApproved', overview.payoutsApproved, '/payouts?status=approved'],
    ['reports', overview.reports, '/reports'],
    ['differences', overview.differences, '/books'],
  ] as const;
  return (
    <>
      <Section title={t('overview.waiting')}>
        <dl className={figures.columns}>
          {counts.map(([name, count, page]) => (
            <div key={name}>
              <dt>
                <Link to={paths.admin(page)}>{t(`overview.${name}`)}</Link>
              </dt>
              <dd className={count > 0 ? classes.waiting : undefined}>{count}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Operations operations={overview.operations} />
    </>
  );
}
