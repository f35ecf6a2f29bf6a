import { Section } from '~/app/components/page-header';
import { formatFileSize } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { CreatorFile } from '~/server/domain/console/allow-publishing';
import classes from './admin.module.css';
import { ConsoleFacts, Operations } from './console-facts';
import { ConsoleTable } from './console-table';
import { ConfirmedForm, RowButton } from './row-forms';
import { useTime } from './use-time';

/** A creator page, and the operator's actions on it. */
export function CreatorFileView({ creator }: { creator: CreatorFile }) {
  const { t, locale } = useTranslation('admin');
  const paths = usePaths();
  const time = useTime();
  return (
    <>
      <ConsoleFacts
        facts={[
          [t('users.id'), creator.id],
          [t('users.name'), creator.name],
          [t('creators.page'), <a href={creator.url}>{creator.url}</a>],
          [t('creators.user'), <Link to={paths.admin(`/users/${creator.user.id}`)}>{creator.user.email}</Link>],
          [t('creators.claimed'), time(creator.claimedAt)],
          [t('creators.closed'), time(creator.closedAt)],
          [t('creators.stopped'), time(creator.publishingStoppedAt)],
          [t('creators.plan'), creator.plan],
          [
            t('creators.subscribers'),
            t('creators.people', { all: creator.subscribers, paid: creator.paidSubscribers }),
          ],
          [t('creators.audio'), formatFileSize(creator.audioBytes, locale)],
          ...creator.balances.map(({ currency, availableMinor, pendingMinor }): [string, string] => [
            t('creators.balance', { currency: currency.toUpperCase() }),
            t('creators.amounts', {
              available: formatMoney({ minor: availableMinor, currency }, locale),
              pending: formatMoney({ minor: pendingMinor, currency }, locale),
            }),
          ]),
        ]}
      />
      {creator.closedAt === null && <CreatorActions creator={creator} />}
      <div className={classes.section}>
        <Section title={t('creators.shows')}>
          <ConsoleTable
            label={t('creators.shows')}
            rows={creator.shows}
            keyOf={({ id }) => id}
            columns={[
              { name: t('found.shows'), cell: ({ name, url }) => <ShowLink name={name} url={url} /> },
              { name: t('users.id'), cell: ({ id }) => id },
              {
                name: t('subscriptions.price'),
                cell: ({ priceMinor: minor, currency }) =>
                  minor === null ? t('creators.free') : formatMoney({ minor, currency }, locale),
              },
              { name: t('creators.published'), cell: ({ published }) => published },
              {
                name: t('actions'),
                cell: ({ id, name }) => (
                  <span className={classes.actions}>
                    <Link to={paths.admin(`/featured?id=${id}`)} aria-label={`${t('featured.submit')}: ${name}`}>
                      {t('featured.submit')}
                    </Link>
                    <Link
                      to={paths.admin(`/take-downs?target=show&id=${id}`)}
                      aria-label={`${t('takeDowns.submit')}: ${name}`}
                    >
                      {t('takeDowns.submit')}
                    </Link>
                  </span>
                ),
              },
            ]}
          />
        </Section>
      </div>
      <Operations operations={creator.operations} />
    </>
  );
}

const ShowLink = ({ name, url }: { name: string; url: string }) => (
  <a href={url}>
    <bdi>{name}</bdi>
  </a>
);

function CreatorActions({ creator }: { creator: CreatorFile }) {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('actions')}>
      {creator.publishingStoppedAt ? (
        <div className={classes.actions}>
          <RowButton intent="allow">{t('creators.allow')}</RowButton>
        </div>
      ) : (
        <ConfirmedForm intent="stop" title={t('creators.stopTitle')} effects={t('creators.stopEffects')} needsReason>
          {t('creators.stop')}
        </ConfirmedForm>
      )}
    </Section>
  );
}
