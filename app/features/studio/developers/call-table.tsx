import { Section } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { StackedTable } from '~/app/components/stacked-table';
import { TimeZoneNote } from '~/app/components/time-zone-note';
import { formatSeconds } from '~/app/lib/formats';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Page } from '~/server/base/paging';
import type { CallView } from '~/server/domain/developers/list-calls';
import classes from './developers.module.css';

/** The calls of the last week, the latest first. */
export function CallTable({ calls, onlyFailures }: { calls: Page<CallView>; onlyFailures: boolean }) {
  const { t, locale } = useTranslation('developers');
  const zone = useCreatorTimeZone();
  const title = t('requests.title');
  if (calls.total === 0)
    return (
      <Section title={title}>
        <p className={classes.fact}>{t(onlyFailures ? 'requests.noFailures' : 'requests.none')}</p>
        {onlyFailures && <Filter onlyFailures />}
      </Section>
    );
  const columns = (['at', 'caller', 'call', 'status', 'ms'] as const).map((name) => t(`requests.${name}`));
  const [at, caller, call, status, ms] = columns;
  return (
    <Section title={title}>
      <Filter onlyFailures={onlyFailures} />
      <TimeZoneNote />
      <StackedTable className={classes.table} label={title} columns={columns}>
        {calls.items.map((row) => (
          <tr key={row.id}>
            <td data-label={at}>{formatSeconds(new Date(row.at), locale, zone)}</td>
            <td data-label={caller}>
              <bdi>{nameOf(row, t)}</bdi>
            </td>
            <td data-label={call}>
              <code>{`${row.method} ${row.path}`}</code>
              {row.requestId && <div className={classes.fact}>{t('requests.id', { id: row.requestId })}</div>}
            </td>
            <td data-label={status}>{row.status}</td>
            <td data-label={ms}>{t('requests.msOf', { ms: row.ms })}</td>
          </tr>
        ))}
      </StackedTable>
      <Pager page={calls.page} pageSize={calls.pageSize} total={calls.total} />
    </Section>
  );
}

function Filter({ onlyFailures }: { onlyFailures: boolean }) {
  const { t } = useTranslation('developers');
  return (
    <p>
      <Link to={onlyFailures ? '?' : '?show=failures'}>{t(onlyFailures ? 'requests.all' : 'requests.failures')}</Link>
    </p>
  );
}

function nameOf({ keyName, caller }: CallView, t: (key: string, params?: Record<string, string>) => string): string {
  if (keyName !== null) return keyName;
  const [kind, id = ''] = caller.split(':');
  return kind === 'app' ? t('requests.app', { id }) : t('requests.gone');
}
