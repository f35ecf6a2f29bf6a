import { DangerZone } from '~/app/features/studio/product/danger-zone';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { loadSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** What changes a show for its listeners: making it free, redirecting its feed, archiving and deleting it. */
export const loader = page((door) => loadSettings(door, 'danger'));

export const action = form(
  sectionAction({
    archive: async (door) => {
      await door.api.products.archive(productRef(door));
      return 'product_archived';
    },
    unarchive: async (door) => {
      await door.api.products.unarchive(productRef(door));
      return 'product_unarchived';
    },
    delete: async (door, { confirmation = '' }) => {
      await door.api.products.retire({ ...productRef(door), confirmation });
      return DELETED;
    },
  }),
  {
    then: (done, door) => {
      const paths = pathsFor(door.url);
      return withDoneMessage(done === DELETED ? paths.products : paths.product(productRef(door)), done);
    },
  },
);

const DELETED = 'product_deleted';

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsDanger() {
  const { product } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <DangerZone product={product} failure={failure} />;
}
