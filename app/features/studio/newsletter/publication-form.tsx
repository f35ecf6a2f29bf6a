import { useMemo } from 'react';
import { CheckField, type Choice, SelectField, TextAreaField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { categoryChoices } from '~/app/features/studio/product/category-choices';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { NewsletterView } from '~/server/domain/newsletter/newsletter-settings';
import { NEWSLETTER_REQUIRED } from '~/server/domain/newsletter/rules';
import { PUBLICATION_LIMITS } from '~/server/limits/newsletter';

type Props = { newsletter: NewsletterView; languages: Choice[]; failure?: FormFailure };
const FORM = 'newsletter-settings';

/** The settings of the newsletter: publication, sender, what every email has, and the welcome email. */
export function PublicationForm({ newsletter, languages, failure }: Props) {
  const { t, language } = useTranslation('editions');
  const logo = useUpload(FORM, 'logoKey', 'newsletter_logo');
  const wait = useUploadWait({ logoKey: logo });
  const initial = useMemo(() => initialOf(newsletter), [newsletter]);
  return (
    <DraftForm
      form={FORM}
      initial={initial}
      rules={loadRules}
      required={NEWSLETTER_REQUIRED}
      failure={failure}
      {...wait.formProps}
    >
      <Section title={t('settings.publication')}>
        <TextField name="name" label={t('settings.name')} maxLength={PUBLICATION_LIMITS.nameLength} required />
        <TextAreaField
          name="description"
          label={t('settings.description')}
          rows={3}
          maxLength={PUBLICATION_LIMITS.descriptionLength}
        />
        <SelectField
          name="category"
          label={t('settings.category')}
          placeholder={t('settings.choose')}
          choices={categoryChoices(language)}
          required
        />
        <SelectField name="language" label={t('settings.language')} choices={languages} required />
        <PictureField
          name="logoKey"
          upload={logo}
          label={t('settings.logo')}
          help={t('settings.logoHelp')}
          current={newsletter.logo?.webp[320]}
          minPixels={PUBLICATION_LIMITS.logoMinPixels}
        />
      </Section>
      <Section title={t('settings.sender')}>
        <TextField
          name="senderName"
          label={t('settings.senderName')}
          maxLength={PUBLICATION_LIMITS.senderLength}
          required
        />
        <TextField
          name="senderEmail"
          type="email"
          label={t('settings.senderEmail')}
          help={t('settings.senderEmailHelp', { address: newsletter.from })}
          required
        />
      </Section>
      <Section title={t('settings.email')}>
        <TextAreaField
          name="header"
          label={t('settings.header')}
          help={t('settings.headerHelp')}
          rows={2}
          maxLength={PUBLICATION_LIMITS.headerLength}
        />
        <TextAreaField
          name="footer"
          label={t('settings.footer')}
          help={t('settings.footerHelp')}
          rows={3}
          maxLength={PUBLICATION_LIMITS.footerLength}
          required
        />
      </Section>
      <Section title={t('settings.welcome')}>
        <CheckField name="sendsWelcome" label={t('settings.sendsWelcome')} />
        <TextField
          name="welcomeSubject"
          label={t('settings.welcomeSubject')}
          maxLength={PUBLICATION_LIMITS.subjectLength}
        />
        <TextAreaField
          name="welcomeContent"
          label={t('settings.welcomeContent')}
          rows={6}
          maxLength={PUBLICATION_LIMITS.welcomeLength}
        />
      </Section>
      <Section title={t('settings.readers')}>
        <CheckField
          name="tracksReaders"
          label={t('settings.tracksReaders')}
          help={
            <>
              {t('settings.tracksReadersHelp')} {newsletter.tracksReaders && t('settings.tracksReadersOff')}
            </>
          }
        />
      </Section>
      <Section title={t('settings.others')}>
        <CheckField
          name="mayBeRecommended"
          label={t('settings.mayBeRecommended')}
          help={t('settings.mayBeRecommendedHelp')}
        />
      </Section>
      <SubmitBar wait={wait} label={t('settings.save')} />
    </DraftForm>
  );
}

const loadRules = () =>
  import('~/server/domain/newsletter/schema').then(({ saveNewsletter }) => ({ schema: saveNewsletter }));

function initialOf(newsletter: NewsletterView) {
  const { name, description, category, language, senderName, senderEmail } = newsletter;
  const { header, footer, sendsWelcome, welcomeSubject, welcomeContent } = newsletter;
  return {
    ...{ name, description, language, senderName, senderEmail, header, footer, welcomeSubject, welcomeContent },
    category: category === 0 ? '' : String(category),
    sendsWelcome: sendsWelcome ? 'on' : 'false',
    mayBeRecommended: newsletter.mayBeRecommended ? 'on' : 'false',
    tracksReaders: newsletter.tracksReaders ? 'on' : 'false',
    logoKey: '',
  };
}
