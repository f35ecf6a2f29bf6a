import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import { RowFields } from './row-fields';

/** What the creator page shows besides name, colours and shows. */
export function PageSections() {
  const { t } = useTranslation('studio');
  const { aboutTitleLength, aboutTextLength, ctaTitleLength, ctaTextLength, ctaButtonLength } = CREATOR_LIMITS;
  return (
    <>
      <Section title={t('creator.about')} id="about">
        <TextField name="aboutTitle" label={t('creator.aboutTitle')} maxLength={aboutTitleLength} />
        <TextAreaField
          name="aboutText"
          label={t('creator.aboutText')}
          help={t('atMost', { max: aboutTextLength })}
          maxLength={aboutTextLength}
        />
        <TextField name="username" label={t('creator.username')} help={t('creator.usernameHelp')} />
      </Section>
      <Section title={t('creator.cta')} id="cta">
        <TextField name="ctaTitle" label={t('creator.ctaTitle')} maxLength={ctaTitleLength} />
        <TextAreaField
          name="ctaText"
          label={t('creator.ctaText')}
          help={t('atMost', { max: ctaTextLength })}
          rows={2}
          maxLength={ctaTextLength}
        />
        <TextField name="ctaButton" label={t('creator.ctaButton')} maxLength={ctaButtonLength} />
        <TextField name="ctaUrl" type="url" label={t('creator.ctaUrl')} help={t('creator.ctaUrlHelp')} />
      </Section>
      <Section title={t('creator.testimonials')} id="testimonials">
        <RowFields list="testimonials" />
      </Section>
      <Section title={t('creator.links')} id="links">
        <RowFields list="links" />
      </Section>
      <Section title={t('creator.support')} id="support">
        <CheckField name="showNewsletter" label={t('creator.newsletter')} help={t('creator.newsletterHelp')} />
        <CheckField name="acceptsDonations" label={t('creator.donations')} help={t('creator.donationsHelp')} />
        <TextAreaField
          name="donationText"
          label={t('creator.donationText')}
          rows={2}
          maxLength={CREATOR_LIMITS.donationTextLength}
        />
      </Section>
    </>
  );
}
