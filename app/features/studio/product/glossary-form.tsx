import { useMemo } from 'react';
import { TextAreaField } from '~/app/components/fields';
import { SubmitButton } from '~/app/components/submit-button';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { GlossaryView } from '~/server/domain/episodes/glossary';
import type { KindName } from '~/server/domain/products/kinds';
import { GLOSSARY_LIMITS } from '~/server/limits/transcripts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-form';

type Props = { product: { id: number; kind: KindName }; glossary: GlossaryView; failure?: FormFailure };

/** Names and words, one per line, with what engines write instead. */
export function GlossaryForm({ product, glossary: { version, lines }, failure }: Props) {
  const { t } = useTranslation('transcripts');
  const { id, kind } = product;
  // a refused form and a draft still change the version that they began with
  const editOf = failure?.values.editOf ?? (version ? new Date(version).toISOString() : '');
  const initial = useMemo(() => ({ id: String(id), kind, editOf, lines: lines.join('\n') }), [id, kind, editOf, lines]);
  return (
    <SettingsSection product={product} page="glossary">
      <DraftForm form={`glossary-${id}-${editOf}`} initial={initial} required={[]} rules={loadRules} failure={failure}>
        <p className={classes.lead}>{t('glossary.lead')}</p>
        <input type="hidden" name="editOf" value={editOf} />
        <TextAreaField
          name="lines"
          label={t('glossary.label')}
          help={
            <>
              {t('glossary.help', { most: GLOSSARY_LIMITS.entries, same: GLOSSARY_LIMITS.sameStart })}{' '}
              {t('glossary.example')}
            </>
          }
          rows={10}
        />
        <p className={classes.kept}>{t('glossary.existing')}</p>
        <div>
          <SubmitButton>{t('glossary.save')}</SubmitButton>
        </div>
      </DraftForm>
    </SettingsSection>
  );
}

const loadRules = () =>
  import('~/server/domain/episodes/schema').then(({ saveGlossary }) => ({ schema: saveGlossary }));
