import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture } from '~/app/components/empty-state';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { ContactPage } from '~/server/domain/audience/contact-list';
import classes from './audience.module.css';
import { ContactBatchForm } from './batch-form';
import { ContactFilterForm } from './contact-filter';
import { type ContactQuery, queryOf } from './contact-query';
import { ContactTable } from './contact-table';
import { SegmentForm, Segments } from './segments';

type Props = { list: ContactPage; query: ContactQuery; failure?: FormFailure };

/** The contacts that the filters find, with all that can be done with them. */
export function FoundContacts({ list, query, failure }: Props) {
  const { t, locale } = useTranslation('audience');
  const may = useMay();
  const paths = usePaths();
  const { count, isMore } = list.found;
  const all = (
    <Button component={Link} to="?" reloadDocument variant="default">
      {t('showAll')}
    </Button>
  );
  return (
    <>
      <Segments query={query} segments={list.segments} />
      <ContactFilterForm query={query} list={list} />
      {list.items.length > 0 && (
        <SegmentForm query={query} segments={list.segments} error={failure?.fields.name?.[0]} />
      )}
      {list.items.length === 0 ? (
        <EmptyState picture={<NothingFoundPicture />} title={t('nothingFound')} action={all} />
      ) : (
        <>
          <p className={classes.found} role="status">
            {t(isMore ? 'foundMore' : 'found', { count, number: formatNumber(count, locale) })}
          </p>
          <ContactBatchForm
            tags={list.tags}
            found={list.items.length < count ? count : null}
            error={failure?.fields.tag?.[0]}
          >
            <ContactTable contacts={list.items} />
          </ContactBatchForm>
        </>
      )}
      {(list.before || list.after) && (
        <nav className={classes.pages} aria-label={t('pages.label')}>
          {list.before && <Link to={queryOf(query, { before: list.before })}>{t('pages.before')}</Link>}
          {list.after && <Link to={queryOf(query, { after: list.after })}>{t('pages.after')}</Link>}
        </nav>
      )}
      {may('creator.exportContacts') && (
        <p className={classes.export}>
          <a href={`${paths.audience}/contacts.csv`} download>
            {t('export')}
          </a>{' '}
          <span className={classes.fact}>{t('exportText')}</span>
        </p>
      )}
    </>
  );
}
