import { TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ContactPage } from '~/server/domain/audience/contact-list';
import classes from './audience.module.css';
import { type ContactQuery, queryOf } from './contact-query';

type Props = { query: ContactQuery; segments: ContactPage['segments']; error?: string };

const addressOf = ({ filter }: Pick<ContactQuery, 'filter'>) => queryOf({ filter, sort: 'newest' });
const currentOf = ({ query, segments }: Pick<Props, 'query' | 'segments'>) =>
  segments.find((segment) => addressOf(segment) === addressOf(query));

/** Links to the saved filters. */
export function Segments({ query, segments }: Pick<Props, 'query' | 'segments'>) {
  const { t } = useTranslation('audience');
  const current = currentOf({ query, segments });
  if (segments.length === 0) return null;
  return (
    <nav aria-label={t('segment.label')}>
      <ul className={classes.segments}>
        <li>
          <Link to="?" aria-current={Object.keys(query.filter).length > 0 ? undefined : 'page'}>
            {t('segment.all')}
          </Link>
        </li>
        {segments.map((segment) => (
          <li key={segment.id}>
            <Link to={addressOf(segment)} aria-current={segment === current ? 'page' : undefined} dir="auto">
              {segment.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Saves the current filters as a segment, or renames or deletes the segment that they are. */
export function SegmentForm({ query, segments, error }: Props) {
  const { t } = useTranslation('audience');
  const current = currentOf({ query, segments });
  if (Object.keys(query.filter).length === 0) return null;
  if (current)
    return (
      <details className={classes.further} open={error !== undefined || undefined}>
        <summary>{t('segment.change', { name: current.name })}</summary>
        <Form method="post" className={classes.segment} key={current.id}>
          <input type="hidden" name="id" value={current.id} />
          <TextInput
            name="name"
            label={t('segment.name')}
            defaultValue={current.name}
            error={error}
            autoComplete="off"
          />
          <Button type="submit" name="intent" value="renameSegment" variant="default">
            {t('segment.rename')}
          </Button>
          <Button type="submit" name="intent" value="deleteSegment" variant="default">
            {t('segment.delete', { name: current.name })}
          </Button>
        </Form>
      </details>
    );
  return (
    <details className={classes.further} open={error !== undefined || undefined}>
      <summary>{t('segment.save')}</summary>
      <Form method="post" className={classes.segment}>
        <TextInput name="name" label={t('segment.name')} error={error} autoComplete="off" />
        <Button type="submit" name="intent" value="saveSegment" variant="default">
          {t('segment.submit')}
        </Button>
      </Form>
    </details>
  );
}
