import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { CreatorFileView } from '~/app/features/operator/admin/creator-file';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';

export const loader = operatorPage('creators.one', ({ api, params }) =>
  api.console.creator({ id: params.id as never }),
);

export const action = operatorAction({
  stop: ({ api, params }, { reason }) =>
    api.console.stopPublishing({ id: params.id as never, reason: reason as never }),
  allow: ({ api, params }) => api.console.allowPublishing({ id: params.id as never }),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Creator() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure}>
      {(creator) => <CreatorFileView creator={creator} />}
    </ConsolePage>
  );
}
