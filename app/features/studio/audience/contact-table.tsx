import { Pill, type Tone } from '~/app/components/pill';
import { StackedTable } from '~/app/components/stacked-table';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { selectionName } from '~/app/lib/selected-ids';
import { useTranslation } from '~/app/lib/translation';
import type { ContactState as State } from '~/db/values/contacts';
import { formatDate } from '~/server/base/formats';
import type { ContactView } from '~/server/domain/audience/contact-list';
import classes from './audience.module.css';

const COLUMNS = ['select', 'contact', 'status', 'tags', 'since', 'months'] as const;

/** The contacts of a page, each with a box that selects it. */
export function ContactTable({ contacts }: { contacts: ContactView[] }) {
  const { t } = useTranslation('audience');
  return (
    <StackedTable className={classes.table} columns={COLUMNS.map((column) => t(`column.${column}`))}>
      {contacts.map((contact) => (
        <ContactRow key={contact.id} contact={contact} />
      ))}
    </StackedTable>
  );
}

function ContactRow({ contact }: { contact: ContactView }) {
  const { t, locale } = useTranslation('audience');
  const paths = usePaths();
  const { id, name, email, state, isByTeam, tags, sources, since, months } = contact;
  return (
    <tr>
      <td className={classes.pick}>
        <label>
          <input type="checkbox" name={selectionName(id)} />
          <span className="hidden-visually">{t('selectOne', { name: name || email })}</span>
        </label>
      </td>
      <th scope="row">
        <Link to={paths.audienceContact(id)}>
          <bdi>{name || email}</bdi>
        </Link>
        {name && <span className={classes.fact}>{email}</span>}
        <span className={classes.fact}>{sources.map((source) => t(`source.${source}`)).join(' · ')}</span>
      </th>
      <td data-label={t('column.status')}>
        <ContactState state={state} isByTeam={isByTeam} />
      </td>
      <td data-label={tags.length > 0 ? t('column.tags') : undefined} className={classes.tags}>
        {tags.map((tag) => (
          <span key={tag} className={classes.tag} dir="auto">
            {tag}
          </span>
        ))}
      </td>
      <td data-label={t('column.since')}>
        <time dateTime={since.toISOString()}>
          {formatDate(since, locale, { dateStyle: 'medium', timeZone: 'UTC' })}
        </time>
      </td>
      <td data-label={months === null ? undefined : t('column.months')}>
        {months === null ? null : months === 0 ? t('monthsNew') : t('months', { count: months })}
      </td>
    </tr>
  );
}

/** Active or inactive (spec §4), and below it why a contact is inactive. */
export function ContactState({ state, isByTeam }: { state: State; isByTeam: boolean }) {
  const { t } = useTranslation('audience');
  return (
    <>
      <Pill tone={TONES[state]}>{t(state === 'active' ? 'state.active' : 'state.inactive')}</Pill>
      {state !== 'active' && <span className={classes.fact}>{t(`state.${isByTeam ? 'deactivated' : state}`)}</span>}
    </>
  );
}

const TONES: Record<State, Tone> = {
  active: 'good',
  pending: 'waiting',
  unsubscribed: 'plain',
  bounced: 'bad',
  complained: 'bad',
};
