import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { FileDrop } from '~/app/components/file-drop';
import { Section } from '~/app/components/page-header';
import { Form, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { HISTORY_HOSTS } from '~/db/values/imported-plays';
import { formatNumber } from '~/server/base/formats';
import { MEGABYTES } from '~/server/limits/sizes';
import { HISTORY_LIMITS } from '~/server/limits/statistics';
import classes from './history.module.css';

const HOW = ['days', 'formats', 'releases', 'again', 'zone'] as const;

/** Uploads a file with the statistics of another host. It is a plain form, so it works the same without JavaScript. */
export function HistoryForm({ problem }: { problem: string | null }) {
  const { t, locale } = useTranslation('history');
  const { state } = useNavigation();
  const limits = { megabytes: HISTORY_LIMITS.bytes / MEGABYTES, rows: formatNumber(HISTORY_LIMITS.rows, locale) };
  return (
    <div className={classes.pair}>
      <Section title={t('import')}>
        <Form method="post" encType="multipart/form-data" className={classes.form}>
          {problem && (
            <p className={classes.problem} role="alert" id="history-error">
              {problem}
            </p>
          )}
          <input type="hidden" name="intent" value="upload" />
          <NativeSelect
            name="host"
            label={t('host')}
            data={[
              { value: '', label: t('host.find') },
              ...HISTORY_HOSTS.map((host) => ({ value: host, label: t(`host.${host}`) })),
            ]}
          />
          <div>
            <label htmlFor="history" className={classes.label}>
              {t('file')}
            </label>
            <p className={classes.soft}>{t('file.help', limits)}</p>
            <FileDrop
              id="history"
              name="statisticsKey"
              accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
              required
              describedBy={problem ? 'history-error' : undefined}
            />
          </div>
          <div>
            <Button type="submit" loading={state === 'submitting'}>
              {t('check')}
            </Button>
          </div>
        </Form>
      </Section>
      <Section title={t('how.title')}>
        <ul className={classes.facts}>
          {HOW.map((fact) => (
            <li key={fact}>{t(`how.${fact}`)}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
