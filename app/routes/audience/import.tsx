import { PageHeader } from '~/app/components/page-header';
import { FileForm } from '~/app/features/studio/audience/import/file-form';
import { FilePreview } from '~/app/features/studio/audience/import/file-preview';
import { importQuery } from '~/app/features/studio/audience/import/import-query';
import { broughtNothing, ImportProgress, ImportResult } from '~/app/features/studio/audience/import/import-state';
import { type Door, type FormFailure, form, isData, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { ContactImportView } from '~/server/domain/audience/contact-imports';

const SHOWN_PROBLEMS = 20;

/** A file of contacts before it is imported, or the latest import, or a form that uploads a file. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  await requireAbility(door, 'creator.manageContacts');
  const [{ preview, problem }, latest] = await Promise.all([readFile(door), api.contactImports.latest()]);
  const isNew = preview !== null || problem !== null || url.searchParams.has('new');
  const found = latest && !(isNew && isFinal(latest.status)) ? latest : null;
  const problems = found && isFinal(found.status) ? await api.contactImports.problems({ id: found.id }) : [];
  const reason = found?.failure ? context.translate(`errors:${found.failure}`) : null;
  return {
    title: translator(context.language, 'contact-import')('title'),
    ...{ found, problems: problems.slice(0, SHOWN_PROBLEMS), reason, preview, problem },
    ...{ query: importQuery(url.searchParams) },
  };
});

const isFinal = (status: string) => status === 'done' || status === 'failed';

/** A file that is used, expired or unreadable is named, and another one can be chosen. */
async function readFile({ api, context, url }: Door) {
  const query = importQuery(url.searchParams);
  if (!query) return { preview: null, problem: null };
  try {
    return { preview: await api.contactImports.preview(query), problem: null };
  } catch (error) {
    if (error instanceof Response || isData(error)) throw error;
    const { unexpected, kind, fields, message } = context.describeError(error);
    if (unexpected || kind === 'unauthenticated' || kind === 'forbidden') throw error;
    return { preview: null, problem: Object.values(fields).flat()[0] ?? message };
  }
}

export const action = form(
  sectionAction({
    // the page reads the file, and names its faults
    upload: async (door, { contactsKey = '' }) =>
      `${pathsFor(door.url).importContacts}?${new URLSearchParams({ file: contactsKey })}`,
    import: async (door, { contactsKey = '', consentSource = '', consentedOn = '', hasAgreed = '', ...values }) => {
      await door.api.contactImports.request({ ...values, contactsKey, consentSource, consentedOn, hasAgreed });
      return pathsFor(door.url).importContacts;
    },
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ImportContacts() {
  const { t } = useTranslation('contact-import');
  const { found, problems, reason, preview, problem, query } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const path = usePaths().importContacts;
  const isWorking = found !== null && !isFinal(found.status);
  useRefresh(!failure && isWorking);
  const own = failure?.values.intent === 'upload' ? failure : undefined;
  const refused = own ? (own.message ?? Object.values(own.fields).flat()[0] ?? null) : null;
  return (
    <>
      <PageHeader title={t(found ? titleOf(found) : 'title')} lead={found ? found.fileName : t('lead')} />
      {isWorking && <ImportProgress found={found} />}
      {found && !isWorking && <ImportResult found={found} problems={problems} reason={reason} page={path} />}
      {!found && preview && query && <FilePreview preview={preview} query={query} page={path} failure={failure} />}
      {!found && !preview && <FileForm problem={refused ?? problem} />}
    </>
  );
}

function titleOf(found: ContactImportView): string {
  if (found.status === 'suppressing') return 'merging';
  return broughtNothing(found) ? 'nothingNew' : found.status;
}
