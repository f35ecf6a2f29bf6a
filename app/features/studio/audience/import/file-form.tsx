import { CsvForm } from '~/app/components/csv-form';
import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';
import { MEGABYTES } from '~/server/limits/sizes';

const HOW = ['services', 'left', 'again', 'consent'] as const;

/** Uploads a file of contacts. */
export function FileForm({ problem }: { problem: string | null }) {
  const { t, locale } = useTranslation('contact-import');
  const { bytes, rows } = CONTACT_IMPORT_LIMITS;
  const help = t('file.help', { megabytes: bytes / MEGABYTES, rows: formatNumber(rows, locale) });
  return (
    <div className={parts.pair}>
      <CsvForm id="contacts" name="contactsKey" label={t('file')} help={help} submit={t('check')} problem={problem} />
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
