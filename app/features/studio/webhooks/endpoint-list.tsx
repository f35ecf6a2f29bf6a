import { EmptyState, PagePicture } from '~/app/components/empty-state';
import { Section } from '~/app/components/page-header';
import { Pill, type Tone } from '~/app/components/pill';
import { StackedTable } from '~/app/components/stacked-table';
import { formatDateTime } from '~/app/lib/formats';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EndpointView } from '~/server/domain/webhooks/endpoints';
import { endpointAddress, endpointName } from './endpoint-address';
import classes from './webhooks.module.css';

/** The creator's endpoints, or what they are for. */
export function EndpointList({ endpoints }: { endpoints: EndpointView[] }) {
  const { t } = useTranslation('webhooks');
  if (endpoints.length === 0)
    return (
      <EmptyState picture={<PagePicture />} title={t('none.title')}>
        {t('none.text')}
      </EmptyState>
    );
  const columns = ['address', 'events', 'state', 'open'].map((name) => t(`list.${name}`));
  return (
    <Section title={t('list.title')}>
      <p className={classes.soft}>{t('lead')}</p>
      <StackedTable className={classes.table} label={t('list.title')} columns={columns}>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.id} endpoint={endpoint} columns={columns} />
        ))}
      </StackedTable>
    </Section>
  );
}

function Row({ endpoint, columns }: { endpoint: EndpointView; columns: string[] }) {
  const { t } = useTranslation('webhooks');
  const { id, kind, description, events } = endpoint;
  const name = endpointName(endpoint);
  return (
    <tr>
      <th scope="row" className={classes.address}>
        <span dir="auto">{name}</span>
        <span className={classes.fact}>
          {[t(`kind.${kind}`), description && endpointAddress(endpoint)].filter(Boolean).join(' · ')}
        </span>
      </th>
      <td data-label={columns[1]}>{events ? t('events.count', { count: events.length }) : t('events.all')}</td>
      <td data-label={columns[2]}>
        <EndpointState endpoint={endpoint} />
      </td>
      <td data-label={columns[3]}>
        <Link to={`?endpoint=${id}`} aria-label={t('list.openOf', { name })}>
          {t('list.open')}
        </Link>
      </td>
    </tr>
  );
}

/** Whether messages are sent to an endpoint, and arrive. */
export function EndpointState({ endpoint }: { endpoint: EndpointView }) {
  const { t, locale } = useTranslation('webhooks');
  const zone = useCreatorTimeZone();
  const { state, tone, since } = stateOf(endpoint);
  const date = since ? formatDateTime(new Date(since), locale, zone) : '';
  return (
    <>
      <Pill tone={tone}>{t(`state.${state}`, { date })}</Pill>
      {endpoint.waiting > 0 && <span className={classes.fact}>{t('state.waiting', { count: endpoint.waiting })}</span>}
    </>
  );
}

type State = { state: 'on' | 'fails' | 'off' | 'gone' | 'failing'; tone: Tone; since: Date | null };

function stateOf({ disabledAt, disabledFor, failingSince }: EndpointView): State {
  if (disabledFor === 'owner') return { state: 'off', tone: 'plain', since: disabledAt };
  if (disabledFor) return { state: disabledFor, tone: 'bad', since: disabledAt };
  return failingSince
    ? { state: 'fails', tone: 'waiting', since: failingSince }
    : { state: 'on', tone: 'good', since: null };
}
