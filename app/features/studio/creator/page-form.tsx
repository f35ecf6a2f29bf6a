import { type ReactNode, useMemo } from 'react';
import { TextField } from '~/app/components/fields';
import { TabLead } from '~/app/components/page-header';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_REQUIRED, type PagePart } from '~/server/domain/creators/rules';
import { ColorFields } from './color-fields';
import { PagePreview } from './page-preview';
import { AboutAndCallFields, RowSections, SupportFields } from './page-sections';
import { type EditedCreator, partValues } from './page-values';
import { ProfileFields, type ProfileProps } from './profile-fields';

type Props = ProfileProps & { part: PagePart; creator: EditedCreator; failure?: FormFailure };

/** One page of the editor of a creator page. Its draft and its button are its own, and the preview shows all parts. */
export function PageForm({ part, creator, failure, ...profile }: Props) {
  const { t } = useTranslation('studio');
  const initial = useMemo(() => partValues(part, creator), [part, creator]);
  const form = `creator-${part}`;
  const avatar = useUpload(form, 'avatarKey', 'avatar');
  const wait = useUploadWait({ avatarKey: avatar });
  const fields: Record<PagePart, ReactNode> = {
    profile: (
      <>
        <ProfileFields own={creator.domain} {...profile} />
        <TextField name="username" label={t('creator.username')} help={t('creator.usernameHelp')} />
      </>
    ),
    look: (
      <>
        <PictureField
          name="avatarKey"
          upload={avatar}
          label={t('creator.picture')}
          help={t('creator.pictureHelp')}
          current={creator.picture}
        />
        <ColorFields />
      </>
    ),
    sections: <AboutAndCallFields />,
    links: <RowSections />,
    support: <SupportFields currency={creator.donations.currency} />,
  };
  return (
    <>
      <TabLead title={t(`creator.part.${part}`)} />
      <DraftForm
        form={form}
        initial={initial}
        rules={() => import('./page-rules').then(({ rulesOf }) => rulesOf(part))}
        required={PAGE_REQUIRED}
        failure={failure}
        {...wait.formProps}
        aside={<PagePreview />}
      >
        {/* Enter in a field saves; by default it would press the first button of a row */}
        <button type="submit" hidden tabIndex={-1} />
        {fields[part]}
        <SubmitBar wait={wait} label={t('save')} />
      </DraftForm>
    </>
  );
}
