import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture, PagePicture } from '~/app/components/empty-state';
import { Pager } from '~/app/components/pager';
import { TimeZoneNote } from '~/app/components/time-zone-note';
import { formatDateTime } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Page } from '~/server/base/paging';
import type { ActivityView } from '~/server/domain/team/activity';
import type { MemberView } from '~/server/domain/team/queries';
import classes from './team.module.css';

type Props = { log: Page<ActivityView>; people: MemberView[]; person: string };

/** The team's activity, latest first, in the creator's time zone. */
export function ActivityList({ log, people, person }: Props) {
  const { t } = useTranslation('team');
  return (
    <>
      {(people.length > 1 || person) && (
        <Form method="get" className={classes.filter} action="#activity">
          <NativeSelect
            key={person}
            name="person"
            defaultValue={person}
            label={t('activity.person')}
            data={[
              { value: '', label: t('activity.everyone') },
              ...people.map(({ userId, name }) => ({ value: String(userId), label: name })),
            ]}
          />
          <Button type="submit" variant="default">
            {t('activity.show')}
          </Button>
        </Form>
      )}
      {log.items.length === 0 ? (
        <NoActivity ofPerson={person !== ''} />
      ) : (
        <>
          <ol className={classes.rows}>
            {log.items.map((entry) => (
              <ActivityEntry key={entry.id} entry={entry} />
            ))}
          </ol>
          <TimeZoneNote />
        </>
      )}
      <Pager page={log.page} pageSize={log.pageSize} total={log.total} />
    </>
  );
}

function NoActivity({ ofPerson }: { ofPerson: boolean }) {
  const { t } = useTranslation('team');
  if (!ofPerson)
    return (
      <EmptyState picture={<PagePicture />} title={t('activity.noneTitle')}>
        {t('activity.none')}
      </EmptyState>
    );
  const all = (
    <Button component={Link} to="?#activity" variant="default">
      {t('activity.everyone')}
    </Button>
  );
  return <EmptyState picture={<NothingFoundPicture />} title={t('activity.noneOf')} action={all} />;
}

function ActivityEntry({ entry: { at, action, params, person } }: { entry: ActivityView }) {
  const { t, locale } = useTranslation('team');
  const role = params.role ? t(`role.${params.role}`) : '';
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <p className={classes.name}>{t(`activity.${action}`, { ...params, role })}</p>
        <p className={classes.fact}>
          {person?.name ?? t('activity.deletedAccount')} ·{' '}
          <time dateTime={new Date(at).toISOString()}>
            {formatDateTime(new Date(at), locale, useCreatorTimeZone())}
          </time>
        </p>
      </div>
    </li>
  );
}
