import { TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { ImportedSource } from '~/server/domain/statistics/imported-sources';
import { longDays, longMonths } from '../dates';
import type { Days } from '../view';
import classes from './history.module.css';

/** How many figures were imported, and of which days. */
type Contents = { count: number; number: string; days: string };
type Props = { sources: ImportedSource[]; mayChange: boolean; failure?: FormFailure };

/** Whose figures were imported, each with a form that removes them. */
export function HistorySources({ sources, mayChange, failure }: Props) {
  const { t, locale } = useTranslation('history');
  const { t: names } = useTranslation('statistics');
  const zone = useCreatorTimeZone();
  if (sources.length === 0) return null;
  const contentsOf = ({ figures, isByMonth, range }: { figures: number; isByMonth: boolean; range: Days }) => ({
    count: figures,
    number: formatNumber(figures, locale),
    days: (isByMonth ? longMonths : longDays)(names, range, locale),
  });
  return (
    <Section title={t('sources')}>
      <ul className={classes.sources}>
        {sources.map(({ id, name, fileName, importedAt, figures, isByMonth, ...range }) => (
          <li key={id}>
            <h3 className={classes.source} dir="auto">
              {name}
            </h3>
            <p className={parts.text}>{t('source.days', contentsOf({ figures, isByMonth, range }))}</p>
            <p className={parts.soft} dir="auto">
              {t('source.file', { file: fileName, date: formatDateTime(importedAt, locale, zone) })}
            </p>
            {mayChange && (
              <Remove
                {...{ id, name }}
                contents={contentsOf({ figures, isByMonth, range })}
                failure={failure?.values.sourceId === `${id}` ? failure : undefined}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type RemoveProps = { id: number; name: string; contents: Contents; failure?: FormFailure };

/** Says what will be lost before the host's name is typed. */
function Remove({ id, name, contents, failure }: RemoveProps) {
  const { t } = useTranslation('history');
  const error = failure && (failure.fields.confirmation?.[0] ?? failure.message);
  return (
    <details className={classes.more} open={failure !== undefined}>
      <summary>{t('remove')}</summary>
      <Form method="post" className={parts.form}>
        <p className={parts.text}>{t('remove.text', { name, ...contents })}</p>
        <input type="hidden" name="sourceId" value={id} />
        <TextInput
          id={`confirmation-${id}`}
          name="confirmation"
          label={t('remove.name', { name })}
          autoComplete="off"
          defaultValue={failure?.values.confirmation ?? ''}
          error={error}
        />
        <div>
          <Button type="submit" name="intent" value="remove" variant="outline" color="red">
            {t('remove.submit', { name })}
          </Button>
        </div>
      </Form>
    </details>
  );
}
