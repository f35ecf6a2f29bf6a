import { DetectTimeZone } from '~/app/components/detect-time-zone';
import { type Choice, TextAreaField, TextField } from '~/app/components/fields';
import { SearchSelectField } from '~/app/components/search-select-field';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { PROFILE_REQUIRED } from '~/server/domain/accounts/base/rules';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { LanguageField } from './language-field';

export type Profile = {
  name: string;
  description: string;
  country: string;
  language: string;
  timeZone: string;
};
type Props = {
  profile: Profile;
  picture: string | null;
  /** If false, the browser fills in its own time zone. */
  hasTimeZone: boolean;
  countries: Choice[];
  timeZones: Choice[];
  failure?: FormFailure;
};

const loadRules = () =>
  import('~/server/domain/accounts/base/schema').then(({ updateAccount }) => ({ schema: updateAccount }));

/**
 * Name, country, language and currency: the language applies to pages and emails, and the currency follows the country.
 */
export function ProfileForm({ profile, picture, hasTimeZone, countries, timeZones, failure }: Props) {
  const { t } = useTranslation('account');
  const avatar = useUpload('profile', 'avatarKey', 'avatar');
  const wait = useUploadWait({ avatarKey: avatar });
  return (
    <DraftForm
      form="profile"
      initial={profile}
      rules={loadRules}
      required={PROFILE_REQUIRED}
      failure={failure}
      {...wait.formProps}
    >
      <TextField
        name="name"
        label={t('profile.name')}
        maxLength={ACCOUNT_LIMITS.nameLength}
        autoComplete="name"
        required
      />
      <PictureField
        name="avatarKey"
        upload={avatar}
        label={t('profile.picture')}
        help={t('profile.pictureHelp')}
        current={picture}
      />
      <TextAreaField
        name="description"
        label={t('profile.description')}
        help={t('profile.descriptionHelp')}
        maxLength={ACCOUNT_LIMITS.descriptionLength}
      />
      <SearchSelectField
        name="country"
        label={t('profile.country')}
        help={t('profile.countryHelp')}
        choices={countries}
        noneFound={t('noneFound')}
      />
      <LanguageField />
      <SearchSelectField name="timeZone" label={t('profile.timeZone')} choices={timeZones} noneFound={t('noneFound')} />
      {!hasTimeZone && <DetectTimeZone known={timeZones.map(({ value }) => value)} />}
      <SubmitBar wait={wait} label={t('profile.save')} />
    </DraftForm>
  );
}
