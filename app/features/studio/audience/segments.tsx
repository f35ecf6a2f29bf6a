import { TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ContactPage } from '~/server/domain/audience/contact-list';
import classes from './audience.module.css';
import { type ContactQuery, queryOf } from './contact-query';

type Props = { query: ContactQuery; segments: ContactPage['segments']; error?: string };

/** Links to the saved filters. The current filter can be saved, or its segment deleted. */
export function Segments({ query: { filter }, segments, error }: Props) {
  const { t } = useTranslation('audience');
  const here = queryOf({ filter, sort: 'newest' });
  const addressOf = (segment: Props['segments'][number]) => queryOf({ filter: segment.filter, sort: 'newest' });
  const current = segments.find((segment) => addressOf(segment) === here);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      {segments.length > 0 && (
        <nav aria-label={t('segment.label')}>
          <ul className={classes.segments}>
            <li>
              <Link to="?" aria-current={isFiltered ? undefined : 'page'}>
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
      )}
      {isFiltered && (
        <Form method="post" className={classes.segment} key={current?.id ?? 'new'}>
          {current ? (
            <>
              <input type="hidden" name="id" value={current.id} />
              <Button type="submit" name="intent" value="deleteSegment" variant="default">
                {t('segment.delete', { name: current.name })}
              </Button>
            </>
          ) : (
            <>
              <TextInput name="name" label={t('segment.name')} error={error} autoComplete="off" />
              <Button type="submit" name="intent" value="saveSegment" variant="default">
                {t('segment.save')}
              </Button>
            </>
          )}
        </Form>
      )}
    </>
  );
}
