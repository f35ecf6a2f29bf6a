import { useEffect, useRef } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FileDrop } from '~/app/components/file-drop';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { SUBSCRIBER_IMPORT_LIMITS } from '~/server/limits/moving';
import { MEGABYTES } from '~/server/limits/sizes';
import classes from './moving.module.css';

const HOW = ['ids', 'connected', 'copied', 'check', 'formats', 'feeds'] as const;

/** Uploads a list from another host. It is a plain form, so it works the same without JavaScript. */
export function ListForm({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('moving');
  const { state } = useNavigation();
  const alert = useRef<HTMLDivElement>(null);
  const message = failure && (failure.message ?? Object.values(failure.fields).flat()[0]);
  useEffect(() => {
    if (failure) alert.current?.focus();
  }, [failure]);
  const { lines, bytes } = SUBSCRIBER_IMPORT_LIMITS;
  return (
    <div className={classes.page}>
      <Form method="post" encType="multipart/form-data" className={classes.form}>
        {message && (
          <Alert color="red" variant="light" role="alert" id="list-error" ref={alert} tabIndex={-1}>
            {message}
          </Alert>
        )}
        <div>
          <label htmlFor="list">{t('people.file')}</label>
          <p className={classes.soft}>{t('people.fileHelp', { lines, megabytes: bytes / MEGABYTES })}</p>
        </div>
        <input type="hidden" name="intent" value="upload" />
        <FileDrop
          id="list"
          name="subscribersKey"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          required
          describedBy={message ? 'list-error' : undefined}
        />
        <div>
          <Button type="submit" loading={state === 'submitting'}>
            {t('people.upload')}
          </Button>
        </div>
      </Form>
      <Section title={t('people.how.title')}>
        <ul className={classes.facts}>
          {HOW.map((fact) => (
            <li key={fact}>{t(`people.how.${fact}`)}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
