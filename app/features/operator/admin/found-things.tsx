import type { ReactNode } from 'react';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { FoundObjects } from '~/server/domain/console/find-anything';
import classes from './admin.module.css';

/** The results of a search, grouped by type. */
export function FoundThings({ things }: { things: FoundObjects }) {
  const { t } = useTranslation('admin');
  const { admin } = usePaths();
  const { users, creators, shows, episodes, payments, payouts } = things;
  const lists: [name: string, items: [key: string | number, item: ReactNode][]][] = [
    [
      'users',
      users.map(({ id, email, name }) => [id, <Place key={id} to={admin(`/users/${id}`)} name={email} more={name} />]),
    ],
    [
      'creators',
      creators.map(({ id, domain, name }) => [
        id,
        <Place key={id} to={admin(`/creators/${id}`)} name={domain} more={name} />,
      ]),
    ],
    [
      'shows',
      shows.map(({ id, name, creator, creatorId }) => [
        id,
        <Place key={id} to={admin(`/creators/${creatorId}`)} name={name} more={`${creator} · ${id}`} />,
      ]),
    ],
    [
      'episodes',
      episodes.map(({ id, name, show, creatorId }) => [
        id,
        <Place key={id} to={admin(`/creators/${creatorId}`)} name={name} more={`${show} · ${id}`} />,
      ]),
    ],
    [
      'payments',
      payments.map(({ paymentId, name, userId, creator }) => [
        paymentId,
        <Place
          key={paymentId}
          to={admin(userId ? `/users/${userId}` : '')}
          name={name}
          more={`${creator ?? ''} · ${paymentId}`}
        />,
      ]),
    ],
    [
      'payouts',
      payouts.map(({ id, status, creator }) => [
        id,
        <Place key={id} to={admin(`/payouts?status=${status}`)} name={id} more={creator} />,
      ]),
    ],
  ];
  const found = lists.filter(([, items]) => items.length > 0);
  if (found.length === 0) return <p>{t('nothing')}</p>;
  return found.map(([name, items]) => (
    <section key={name} className={classes.section}>
      <h2>{t(`found.${name}`)}</h2>
      <ul>
        {items.map(([key, item]) => (
          <li key={key} className={classes.wrap}>
            {item}
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Place({ to, name, more }: { to: string; name: string; more: string }) {
  return (
    <>
      <Link to={to}>
        <bdi>{name}</bdi>
      </Link>{' '}
      <bdi>{more}</bdi>
    </>
  );
}
