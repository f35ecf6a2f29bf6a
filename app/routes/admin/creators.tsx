import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { ConsoleTable } from '~/app/features/operator/admin/console-table';
import { SearchForm, wordsOf } from '~/app/features/operator/admin/search-form';
import { useTime } from '~/app/features/operator/admin/use-time';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('creators.title', async ({ api, url }) => {
  const words = wordsOf(url);
  return { words, creators: await api.console.creators({ search: words }) };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Creators() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const paths = usePaths();
  const time = useTime();
  return (
    <ConsolePage data={data}>
      {({ words, creators }) => (
        <>
          <SearchForm label={t('creators.search')} words={words} />
          <ConsoleTable
            label={t('creators.title')}
            rows={creators}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t('creators.domain'),
                cell: ({ id, domain }) => <Link to={paths.admin(`/creators/${id}`)}>{domain}</Link>,
              },
              { name: t('users.name'), cell: ({ name }) => <bdi>{name}</bdi>, wraps: true },
              { name: t('creators.claimed'), cell: ({ claimedAt }) => time(claimedAt) },
              {
                name: t('users.state'),
                cell: ({ closedAt, publishingStoppedAt }) =>
                  t(`creators.states.${closedAt ? 'closed' : publishingStoppedAt ? 'stopped' : 'open'}`),
              },
            ]}
          />
        </>
      )}
    </ConsolePage>
  );
}
