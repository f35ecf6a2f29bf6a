import { useMemo } from 'react';
import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { EDITING_LIMITS } from '~/server/limits/newsletter';
import { EditionForm } from './edition-form';
import type { StepProps } from './edition-steps';
import classes from './newsletter.module.css';

export function SeoStep({ edition, failure }: StepProps) {
  const { t } = useTranslation('editions');
  const { description, seoTitle, seoDescription, isInArchive, address } = edition;
  const slug = edition.slug ?? '';
  const initial = useMemo(
    () => ({ slug, description, seoTitle, seoDescription, isInArchive: isInArchive ? 'on' : 'false' }),
    [slug, description, seoTitle, seoDescription, isInArchive],
  );
  return (
    <EditionForm edition={edition} initial={initial} failure={failure} submit={t('next')}>
      <CheckField name="isInArchive" label={t('field.isInArchive')} help={t('field.isInArchiveHelp')} />
      <TextField
        name="slug"
        label={t('field.slug')}
        help={t('field.slugHelp', { proposed: address.proposed })}
        maxLength={EDITING_LIMITS.slugLength}
        autoComplete="off"
      />
      <FullAddress saved={slug} {...address} />
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

/** Where the edition will be, as it is typed. */
function FullAddress({ saved, base, proposed }: { saved: string; base: string; proposed: string }) {
  const { values } = useFormState();
  const slug = (values.slug ?? saved).trim().toLowerCase();
  return (
    <p className={classes.fact}>
      <bdi>{base + (slug || proposed)}</bdi>
    </p>
  );
}
