import { NativeSelect } from '@mantine/core';
import { CsvForm } from '~/app/components/csv-form';
import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { HISTORY_HOSTS } from '~/db/values/imported-plays';
import { formatNumber } from '~/server/base/formats';
import { MEGABYTES } from '~/server/limits/sizes';
import { HISTORY_LIMITS } from '~/server/limits/statistics';

const HOW = ['days', 'formats', 'releases', 'again', 'zone'] as const;

/** Uploads a file with the statistics of another host. */
export function HistoryForm({ problem }: { problem: string | null }) {
  const { t, locale } = useTranslation('history');
  const limits = { megabytes: HISTORY_LIMITS.bytes / MEGABYTES, rows: formatNumber(HISTORY_LIMITS.rows, locale) };
  return (
    <div className={parts.pair}>
      <Section title={t('import')}>
        <CsvForm
          id="history"
          name="statisticsKey"
          label={t('file')}
          help={t('file.help', limits)}
          submit={t('check')}
          problem={problem}
        >
          <NativeSelect
            name="host"
            label={t('host')}
            data={[
              { value: '', label: t('host.find') },
              ...HISTORY_HOSTS.map((host) => ({ value: host, label: t(`host.${host}`) })),
            ]}
          />
        </CsvForm>
      </Section>
      <Section title={t('how.title')}>
        <ul className={parts.facts}>
          {HOW.map((fact) => (
            <li key={fact}>{t(`how.${fact}`)}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
