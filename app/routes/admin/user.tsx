import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { UserFile } from '~/app/features/operator/admin/user-file';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';

export const loader = operatorPage('users.one', ({ api, params }) => api.console.user({ id: params.id as never }));

export const action = operatorAction({
  verify: ({ api, params }) => api.console.verifyUser({ id: params.id as never }),
  endSessions: ({ api, params }) => api.console.endSessions({ id: params.id as never }),
  passwordLink: ({ api, params }) => api.console.sendPasswordLink({ id: params.id as never }),
  suspend: ({ api, params }, { reason }) =>
    api.console.suspendUser({ id: params.id as never, reason: reason as never }),
  unsuspend: ({ api, params }) => api.console.unsuspendUser({ id: params.id as never }),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function User() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure}>
      {(user) => <UserFile user={user} />}
    </ConsolePage>
  );
}
