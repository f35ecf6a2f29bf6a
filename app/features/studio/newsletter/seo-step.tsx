import { useMemo } from 'react';
import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import { useTranslation } from '~/app/lib/translation';
import { EDITING_LIMITS } from '~/server/limits/newsletter';
import { EditionForm } from './edition-form';
import type { StepProps } from './edition-steps';

export function SeoStep({ edition, failure }: StepProps) {
  const { t } = useTranslation('editions');
  const { description, seoTitle, seoDescription, isInArchive } = edition;
  const initial = useMemo(
    () => ({ description, seoTitle, seoDescription, isInArchive: isInArchive ? 'on' : 'false' }),
    [description, seoTitle, seoDescription, isInArchive],
  );
  return (
    <EditionForm edition={edition} initial={initial} failure={failure} submit={t('next')}>
      <CheckField name="isInArchive" label={t('field.isInArchive')} help={t('field.isInArchiveHelp')} />
      <TextAreaField
        name="description"
        label={t('field.description')}
        help={t('field.descriptionHelp')}
        rows={3}
        maxLength={EDITING_LIMITS.descriptionLength}
      />
      <TextField
        name="seoTitle"
        label={t('field.seoTitle')}
        help={t('field.seoTitleHelp')}
        maxLength={EDITING_LIMITS.seoTitleLength}
      />
      <TextAreaField
        name="seoDescription"
        label={t('field.seoDescription')}
        rows={3}
        maxLength={EDITING_LIMITS.seoDescriptionLength}
      />
    </EditionForm>
  );
}
