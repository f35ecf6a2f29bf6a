import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { ConsoleTable } from '~/app/features/operator/admin/console-table';
import { SearchForm, wordsOf } from '~/app/features/operator/admin/search-form';
import { useTime } from '~/app/features/operator/admin/use-time';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('users.title', async ({ api, url }) => {
  const words = wordsOf(url);
  return { words, users: await api.console.users({ search: words }) };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Users() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const paths = usePaths();
  const time = useTime();
  return (
    <ConsolePage data={data}>
      {({ words, users }) => (
        <>
          <SearchForm label={t('users.search')} words={words} />
          <ConsoleTable
            label={t('users.title')}
            rows={users}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t('users.email'),
                cell: ({ id, email }) => <Link to={paths.admin(`/users/${id}`)}>{email}</Link>,
              },
              { name: t('users.name'), cell: ({ name }) => <bdi>{name}</bdi>, wraps: true },
              { name: t('users.created'), cell: ({ createdAt }) => time(createdAt) },
              { name: t('users.state'), cell: (user) => t(`users.states.${stateOf(user)}`) },
            ]}
          />
        </>
      )}
    </ConsolePage>
  );
}

type Dated = Record<'deletedAt' | 'suspendedAt' | 'emailVerifiedAt', Date | null>;

function stateOf({ deletedAt, suspendedAt, emailVerifiedAt }: Dated): string {
  if (deletedAt) return 'deleted';
  if (suspendedAt) return 'suspended';
  return emailVerifiedAt ? 'verified' : 'unverified';
}
