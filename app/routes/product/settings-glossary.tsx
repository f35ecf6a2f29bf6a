import { GlossaryForm } from '~/app/features/studio/product/glossary-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** The names and words that engines get for the transcripts of a show. */
export const loader = page(async (door) => {
  const ref = productRef(door);
  const [settings, glossary] = await Promise.all([loadSettings(door, 'glossary'), door.api.transcripts.glossary(ref)]);
  return { ...settings, glossary };
});

export const action = form(
  async (door, { lines = '', editOf = '' }) => {
    const ref = productRef(door);
    await door.api.transcripts.saveGlossary({ ...ref, lines, editOf });
    return ref;
  },
  { then: (ref, { url }) => withDoneMessage(pathsFor(url).settings(ref, 'glossary'), 'glossary_saved') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsGlossary() {
  const { product, glossary } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <GlossaryForm key={String(glossary.version)} {...{ product, glossary, failure }} />;
}
