import { useMemo } from 'react';
import { EditionField } from '~/app/components/edition-field';
import { TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { EditionVersion } from '~/server/domain/newsletter/edition-versions';
import { EDITION_LIMITS } from '~/server/limits/editions';
import { EDITING_LIMITS } from '~/server/limits/newsletter';
import { EditionForm } from './edition-form';
import type { StepProps } from './edition-steps';
import classes from './newsletter.module.css';

export function ContentStep({ edition, choices, versions, failure, onTitle }: StepProps) {
  const { t } = useTranslation('editions');
  const { title, preheader, content, tags } = edition;
  const initial = useMemo(
    () => ({ title, preheader, content, tags: tags.join(', ') }),
    [title, preheader, content, tags],
  );
  return (
    <>
      <EditionForm edition={edition} initial={initial} failure={failure} submit={t('next')} onTitle={onTitle}>
        <TextFields choices={choices} />
        <TextField name="tags" label={t('field.tags')} help={t('field.tagsHelp')} autoComplete="off" />
      </EditionForm>
      <Versions id={edition.id} versions={versions} />
    </>
  );
}

type TextProps = Pick<StepProps, 'edition' | 'choices' | 'failure'> & { submit: string };

/** The text of an automation's email, which has no tags. */
export function StepTextForm({ edition, choices, failure, submit }: TextProps) {
  const { title, preheader, content } = edition;
  const initial = useMemo(() => ({ title, preheader, content }), [title, preheader, content]);
  return (
    <EditionForm edition={edition} initial={initial} failure={failure} submit={submit}>
      <TextFields choices={choices} />
    </EditionForm>
  );
}

function TextFields({ choices }: Pick<StepProps, 'choices'>) {
  const { t } = useTranslation('editions');
  return (
    <>
      <TextField
        name="title"
        label={t('field.title')}
        help={t('field.titleHelp')}
        maxLength={EDITION_LIMITS.titleLength}
      />
      <TextField
        name="preheader"
        label={t('field.preheader')}
        help={t('field.preheaderHelp')}
        maxLength={EDITING_LIMITS.preheaderLength}
      />
      <EditionField
        name="content"
        label={t('field.content')}
        help={t('field.contentHelp', { tag: '{{name|friend}}' })}
        offers={choices}
      />
    </>
  );
}

export function Versions({ id, versions }: { id: number; versions: EditionVersion[] }) {
  const { t, locale } = useTranslation('editions');
  const paths = usePaths();
  const timeZone = useCreatorTimeZone();
  const moment = (at: Date) => formatDate(at, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return (
    <Section title={t('versions.title')}>
      {versions.length === 0 && <p className={classes.fact}>{t('versions.none')}</p>}
      <ul className={classes.rows}>
        {versions.map(({ revision, title, createdAt, beginning, added, removed }) => (
          <li key={revision} className={classes.row}>
            <div className={classes.name}>
              <span>
                {moment(createdAt)} · <bdi>{title || t('untitled')}</bdi>
              </span>
              <span className={classes.fact}>
                <bdi>{beginning && `“${beginning}…”`}</bdi> {t('versions.change', { added, removed })}
              </span>
            </div>
            <Form method="post" className={classes.actions}>
              <Link to={`${paths.previewEdition(id)}?version=${revision}`}>{t('versions.look')}</Link>
              <input type="hidden" name="version" value={revision} />
              <IntentButton intent="restore" label={t('versions.restoreOf', { day: moment(createdAt) })}>
                {t('versions.restore')}
              </IntentButton>
            </Form>
          </li>
        ))}
      </ul>
    </Section>
  );
}
