import { useMemo } from 'react';
import { ChoiceField } from '~/app/components/fields';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { SIGN_UP_REASONS } from '~/server/domain/accounts/base/kinds';
import { StepButtons } from './step-buttons';

const loadRules = () =>
  import('~/server/domain/accounts/base/schema').then(({ giveReason }) => ({ schema: giveReason }));

export function ReasonForm({ reason, failure }: { reason: string | null; failure?: FormFailure }) {
  const { t } = useTranslation('start');
  const paths = usePaths();
  const initial = useMemo(() => ({ reason: reason ?? '' }), [reason]);
  const options = SIGN_UP_REASONS.map((value) => ({ value, label: t(`reason.${value}`) }));
  return (
    <DraftForm form="start-reason" initial={initial} rules={loadRules} required={['reason']} failure={failure}>
      <ChoiceField name="reason" label={t('reason.question')} options={options} required />
      <StepButtons skipTo={paths.dashboard} />
    </DraftForm>
  );
}
