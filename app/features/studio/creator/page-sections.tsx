import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Currency } from '~/server/base/money';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import { DONATION_TEXTS } from '~/server/limits/donations';
import { RowFields } from './row-fields';

/** The sections of the creator page besides name, colours and shows. */
export function PageSections({ currency }: { currency: Currency }) {
  const { t } = useTranslation('studio');
  const may = useMay();
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
        {may('creator.switchDonations') && (
          <CheckField name="acceptsDonations" label={t('creator.donations')} help={t('creator.donationsHelp')} />
        )}
        <TextAreaField
          name="donationText"
          label={t('creator.donationText')}
          rows={2}
          maxLength={CREATOR_LIMITS.donationTextLength}
        />
        <DonationFields currency={currency} />
      </Section>
    </>
  );
}

/** Goal, wall of donors and thanks: the donations room stores them, and the page's form saves them. */
function DonationFields({ currency }: { currency: Currency }) {
  const { t } = useTranslation('studio');
  const { goalTitle, thankYou } = DONATION_TEXTS;
  return (
    <>
      <TextField
        name="donationGoal"
        label={t('creator.donationGoal', { currency: currency.toUpperCase() })}
        help={t('creator.donationGoalHelp')}
        inputMode="decimal"
      />
      <TextField name="donationGoalTitle" label={t('creator.donationGoalTitle')} maxLength={goalTitle} />
      <CheckField name="showsWall" label={t('creator.showsWall')} help={t('creator.showsWallHelp')} />
      <TextAreaField
        name="thankYouText"
        label={t('creator.thankYouText')}
        help={t('creator.thankYouTextHelp', { max: thankYou })}
        rows={3}
        maxLength={thankYou}
      />
    </>
  );
}
