import { CreatorPage } from '~/app/features/site/public/creator-page';
import { creatorView } from '~/app/features/site/public/creator-page-data.server';
import { validPart } from '~/app/features/studio/creator/page-rules';
import { rowsOf } from '~/app/features/studio/creator/page-values';
import { toInput } from '~/app/lib/check-form';
import { type Door, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { updateCreator } from '~/server/domain/creators/schema';

/**
 * A preview of the creator page in a frame of its form: renders the submitted values with the components of the public
 * page. Fields with an error keep their stored value.
 */
export const loader = page((door) => preview(door, {}));

export const action = form(
  (door, values) => preview(door, validPart({ ...toInput(updateCreator, values, []), ...rowsOf(values) })),
  { then: (view) => view as never },
);

async function preview(door: Door, input: Parameters<typeof door.api.pages.creatorPreview>[0]) {
  return creatorView(door, await door.api.pages.creatorPreview(input));
}

export const meta = () => [{ title: 'Altavoz' }, { name: 'robots', content: 'noindex' }];

export default function CreatorPreview() {
  const stored = useLoaderData<typeof loader>();
  const edited = useActionData<typeof action>() as typeof stored | undefined;
  return (
    // its links must not work, because they belong to another host. The class shows the player as if scripts ran.
    <div className="js" {...{ inert: '' }}>
      <CreatorPage view={edited ?? stored} />
    </div>
  );
}
