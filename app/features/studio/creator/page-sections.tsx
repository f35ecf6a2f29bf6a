import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Currency } from '~/server/base/money';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import { DONATION_TEXTS } from '~/server/limits/donations';
import { LIST_NAMES } from './page-values';
import { RowFields } from './row-fields';

/** A text about the creator, and the call to action. */
export function AboutAndCallFields() {
  const { t } = useTranslation('studio');
  const { aboutTitleLength, aboutTextLength, ctaTitleLength, ctaTextLength, ctaButtonLength } = CREATOR_LIMITS;
  return (
    <>
      <Section title={t('creator.about')}>
        <TextField name="aboutTitle" label={t('creator.aboutTitle')} maxLength={aboutTitleLength} />
        <TextAreaField
          name="aboutText"
          label={t('creator.aboutText')}
          help={t('atMost', { max: aboutTextLength })}
          maxLength={aboutTextLength}
        />
      </Section>
      <Section title={t('creator.cta')}>
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
    </>
  );
}

export function RowSections() {
  const { t } = useTranslation('studio');
  return LIST_NAMES.map((list) => (
    <Section key={list} title={t(`creator.${list}`)}>
      <RowFields list={list} />
    </Section>
  ));
}

/** The newsletter's form, and donations. */
export function SupportFields({ currency }: { currency: Currency }) {
  const { t } = useTranslation('studio');
  const may = useMay();
  return (
    <>
      <Section title={t('creator.newsletterTitle')}>
        <CheckField name="showNewsletter" label={t('creator.newsletter')} help={t('creator.newsletterHelp')} />
      </Section>
      <Section title={t('creator.donationsTitle')}>
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
