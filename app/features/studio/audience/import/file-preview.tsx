import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import parts from '~/app/components/file-page.module.css';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { CONTACT_COLUMNS, LIST_HOSTS, LIST_KINDS } from '~/db/values/contact-imports';
import type { ReadLine } from '~/server/domain/audience/read-contacts';
import type { ContactsPreview } from '~/server/domain/audience/request-contact-import';
import { CONTACT_IMPORT_LIMITS } from '~/server/limits/contact-imports';
import classes from './import.module.css';
import type { ImportQuery } from './import-query';

type Props = {
  preview: ContactsPreview;
  query: ImportQuery;
  /** The page without a file. */
  page: string;
  /** The last day that a declaration may have. */
  failure?: FormFailure;
};

/** What a file contains, before anything of it is stored. */
export function FilePreview({ preview, query, page, failure }: Props) {
  const { t } = useTranslation('contact-import');
  const { fileName, encoding, unclear, first } = preview;
  return (
    <div className={parts.page}>
      <p className={parts.soft} dir="auto">
        {t('read', { file: fileName, encoding: encoding.toUpperCase() })}
      </p>
      {unclear && <p className={parts.problem}>{t('unclear', { date: unclear })}</p>}
      <Section title={t('first')}>
        <ul className={classes.rows}>
          {first.map((line) => (
            <li key={line.line}>
              <Row line={line} />
            </li>
          ))}
        </ul>
      </Section>
      <Form method="post" className={parts.form}>
        <input type="hidden" name="file" value={query.contactsKey} />
        <input type="hidden" name="contactsKey" value={query.contactsKey} />
        {/* Enter in a field presses the first button of its form */}
        <button type="submit" name="intent" value="import" hidden tabIndex={-1} />
        <Section title={t('correct')}>
          {/* the fields follow the address */}
          <Corrections key={JSON.stringify(query)} preview={preview} failure={failure} />
        </Section>
        <Declaration page={page} today={preview.today} failure={failure} />
      </Form>
    </div>
  );
}

function Row({ line }: { line: ReadLine }) {
  const { t } = useTranslation('contact-import');
  if ('fault' in line)
    return (
      <>
        <bdi>{line.text}</bdi> <span className={parts.soft}>{t(`reason.${line.fault}`)}</span>
      </>
    );
  const { email, name, since, tags, state, note } = line;
  const known = [name, since, tags.join(', '), state && t(`state.${state}`), note && t(`reason.${note.fault}`)];
  const facts = known.filter(Boolean);
  return (
    <>
      <strong>{email}</strong> <span className={parts.soft}>{facts.join(' · ')}</span>
    </>
  );
}

/** Every file can be read: the creator chooses its columns, and who is in it. What is chosen here is imported. */
function Corrections({ preview, failure }: Pick<Props, 'preview' | 'failure'>) {
  const { t } = useTranslation('contact-import');
  const { names, columns, host, kind, order } = preview;
  const choices = names.map((name, i) => ({ value: `${i}`, label: name || t('column.unnamed', { number: i + 1 }) }));
  const chosen = failure?.values ?? {};
  return (
    <div className={parts.grid}>
      <NativeSelect
        name="host"
        label={t('host')}
        defaultValue={chosen.host ?? host}
        data={LIST_HOSTS.map((value) => ({ value, label: t(`host.${value}`) }))}
      />
      <NativeSelect
        name="kind"
        label={t('kind')}
        defaultValue={chosen.kind ?? kind}
        data={LIST_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      {CONTACT_COLUMNS.map((column) => (
        <NativeSelect
          key={column}
          name={column}
          label={t(`column.${column}`)}
          defaultValue={chosen[column] ?? columns[column] ?? 'none'}
          data={[{ value: 'none', label: t('column.none') }, ...choices]}
        />
      ))}
      <NativeSelect
        name="order"
        label={t('order')}
        defaultValue={chosen.order ?? order}
        data={(['dmy', 'mdy'] as const).map((value) => ({ value, label: t(`order.${value}`) }))}
      />
      <div>
        <Button type="submit" variant="default" formMethod="get" formNoValidate>
          {t('checkAgain')}
        </Button>
      </div>
    </div>
  );
}

function Declaration({ page, today, failure }: Pick<Props, 'page' | 'failure'> & { today: string }) {
  const { t } = useTranslation('contact-import');
  const errorOf = (name: string) => failure?.fields[name]?.[0];
  const own = ['hasAgreed', 'consentSource', 'consentedOn'];
  const other = failure && Object.entries(failure.fields).find(([name]) => !own.includes(name))?.[1][0];
  const problem = failure && (failure.message ?? other);
  return (
    <div className={parts.form}>
      {problem && (
        <p className={parts.problem} role="alert">
          {problem}
        </p>
      )}
      {/* the style sheet hides it for a list of people who get no emails */}
      <div className={classes.declaration}>
        <Section title={t('declaration')}>
          <div className={parts.form}>
            <TextInput
              name="consentSource"
              label={t('source')}
              description={t('source.help')}
              maxLength={CONTACT_IMPORT_LIMITS.sourceLength}
              defaultValue={failure?.values.consentSource ?? ''}
              error={errorOf('consentSource')}
            />
            <TextInput
              name="consentedOn"
              type="date"
              label={t('date')}
              max={today}
              defaultValue={failure?.values.consentedOn ?? ''}
              error={errorOf('consentedOn')}
            />
            <Checkbox name="hasAgreed" label={t('declaration.agree')} error={errorOf('hasAgreed')} />
          </div>
        </Section>
      </div>
      <div className={parts.buttons}>
        <Button type="submit" name="intent" value="import">
          {t('save')}
        </Button>
        <Button component={Link} to={page} variant="default">
          {t('cancel')}
        </Button>
      </div>
    </div>
  );
}
