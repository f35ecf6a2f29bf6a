import { DeletionSection } from '~/app/features/listener/account/deletion-section';
import { ExportSection } from '~/app/features/listener/account/export-section';
import { LeavingSection } from '~/app/features/listener/account/leaving-section';
import classes from '~/app/features/listener/account/settings.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';

export const loader = page(async ({ api, context }) => ({
  archive: await api.accounts.exportState(),
  deletion: await api.accounts.deletionState(),
  isCreator: context.viewer?.hasCreator ?? false,
  title: translator(context.language, 'account')('tabs.data'),
}));

export const action = form(
  sectionAction({
    export: async ({ api }) => {
      await api.accounts.requestExport();
      return 'export_requested';
    },
    delete: async ({ api }, values) => {
      await api.accounts.requestDeletion(values as never);
      return 'deletion_scheduled';
    },
    keep: async ({ api }) => {
      await api.accounts.cancelDeletion();
      return 'deletion_cancelled';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).ownData, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function OwnData() {
  const { user } = useStudio();
  const { archive, deletion, isCreator } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <div className={classes.sections}>
      <ExportSection email={user.email} archive={archive} failure={failure} />
      {isCreator && <LeavingSection />}
      <DeletionSection state={deletion} isCreator={isCreator} failure={failure} />
    </div>
  );
}
