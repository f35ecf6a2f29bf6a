import { ReasonForm } from '~/app/features/studio/start/reason-form';
import { nextPath } from '~/app/features/studio/start/step-paths';
import { toInput } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { giveReason } from '~/server/domain/accounts/base/schema';

export const loader = page(async ({ api, context }) => {
  const { reason } = await api.start.progress();
  return { reason, title: translator(context.language, 'start')('step.reason.title') };
});

export const action = form(
  async ({ api }, values) => {
    await api.start.giveReason(toInput(giveReason, values, ['reason']));
    return api.start.progress();
  },
  { then: (progress, { url }) => nextPath(pathsFor(url), progress) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Reason() {
  const { reason } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <ReasonForm reason={reason} failure={failure} />;
}
