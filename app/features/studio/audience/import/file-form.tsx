import { Button } from '~/app/components/button';
import { FileDrop } from '~/app/components/file-drop';
import { Section } from '~/app/components/page-header';
import { Form, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';
import { MEGABYTES } from '~/server/limits/sizes';
import classes from './import.module.css';

const HOW = ['services', 'left', 'again', 'consent'] as const;

/** Uploads a file of contacts. It is a plain form, so it works the same without JavaScript. */
export function FileForm({ problem }: { problem: string | null }) {
  const { t, locale } = useTranslation('contact-import');
  const { state } = useNavigation();
  const { bytes, rows } = CONTACT_IMPORT_LIMITS;
  return (
    <div className={classes.pair}>
      <Form method="post" encType="multipart/form-data" className={classes.form}>
        {problem && (
          <p className={classes.problem} role="alert" id="contacts-error">
            {problem}
          </p>
        )}
        <input type="hidden" name="intent" value="upload" />
        <div>
          <label htmlFor="contacts" className={classes.label}>
            {t('file')}
          </label>
          <p className={classes.soft}>
            {t('file.help', { megabytes: bytes / MEGABYTES, rows: formatNumber(rows, locale) })}
          </p>
          <FileDrop
            id="contacts"
            name="contactsKey"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            required
            describedBy={problem ? 'contacts-error' : undefined}
          />
        </div>
        <div>
          <Button type="submit" loading={state === 'submitting'}>
            {t('check')}
          </Button>
        </div>
      </Form>
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
