import { useMemo } from 'react';
import { TextAreaField, TextField } from '~/app/components/fields';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import { StepButtons } from './step-buttons';

type Props = { aboutTitle: string; aboutText: string; picture: string | null; failure?: FormFailure };
const FORM = 'start-about';
const loadRules = () =>
  import('~/server/domain/creators/schema').then(({ updateCreator }) => ({ schema: updateCreator }));

export function AboutForm({ aboutTitle, aboutText, picture, failure }: Props) {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  const initial = useMemo(() => ({ aboutTitle, aboutText }), [aboutTitle, aboutText]);
  const avatar = useUpload(FORM, 'avatarKey', 'avatar');
  const wait = useUploadWait({ avatarKey: avatar });
  return (
    <DraftForm form={FORM} initial={initial} rules={loadRules} required={[]} failure={failure} {...wait.formProps}>
      <TextField name="aboutTitle" label={t('creator.aboutTitle')} maxLength={CREATOR_LIMITS.aboutTitleLength} />
      <TextAreaField
        name="aboutText"
        label={t('creator.aboutText')}
        help={t('atMost', { max: CREATOR_LIMITS.aboutTextLength })}
        maxLength={CREATOR_LIMITS.aboutTextLength}
      />
      <PictureField
        name="avatarKey"
        upload={avatar}
        label={t('creator.picture')}
        help={t('creator.pictureHelp')}
        current={picture}
      />
      <StepButtons skipTo={paths.createProduct} />
    </DraftForm>
  );
}
