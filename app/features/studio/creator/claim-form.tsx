import { useMemo } from 'react';
import { DetectTimeZone } from '~/app/components/detect-time-zone';
import pageClasses from '~/app/components/page-header.module.css';
import { SubmitButton } from '~/app/components/submit-button';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_REQUIRED } from '~/server/domain/creators/rules';
import { AgeFields } from './age-fields';
import { ProfileFields, type ProfileProps } from './profile-fields';

type Props = ProfileProps & { suggestion: { name: string; domain: string }; failure?: FormFailure };

const loadRules = () => import('./page-rules').then(({ claimRules }) => claimRules);
const UNCLAIMED = { name: '', domain: '', timeZone: 'UTC', birthDate: '', parentalPermission: 'false' };

/** Claims a creator page. */
export function ClaimForm({ suggestion, failure, ...profile }: Props) {
  const { t } = useTranslation('studio');
  const initial = useMemo(() => ({ ...UNCLAIMED, ...suggestion }), [suggestion]);
  return (
    <div className={pageClasses.form}>
      <DraftForm form="creator-claim" initial={initial} rules={loadRules} required={PAGE_REQUIRED} failure={failure}>
        <ProfileFields own={null} {...profile} />
        <AgeFields />
        <DetectTimeZone known={profile.timeZones.map(({ value }) => value)} />
        <div>
          <SubmitButton>{t('creator.claim')}</SubmitButton>
        </div>
      </DraftForm>
    </div>
  );
}
