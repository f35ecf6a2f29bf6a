import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { FeedPreview } from '~/app/features/studio/rss-import/feed-preview';
import { ImportForm } from '~/app/features/studio/rss-import/import-form';
import { ImportResult } from '~/app/features/studio/rss-import/import-result';
import { ItemList, type ListedItem } from '~/app/features/studio/rss-import/item-list';
import classes from '~/app/features/studio/rss-import/rss-import.module.css';
import { ImportProgress, WaitingImport } from '~/app/features/studio/rss-import/running-import';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page, pagePath } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { Page } from '~/server/base/paging';
import type { PreviewedFeed } from '~/server/domain/rss-import/request-feed-import';
import { isFinal } from '~/server/domain/rss-import/rules';
import type { ImportView } from '~/server/domain/rss-import/views';
import { IMPORT_LIMITS } from '~/server/limits/rss-import';

/** The creator's latest import, or a form that starts another. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  await requireAbility(door, 'product.manage');
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).claimPageFor(pagePath(door)));
  const latest = await api.imports.latest();
  const entered = url.searchParams.get('url')?.slice(0, IMPORT_LIMITS.urlLength) ?? null;
  const isShown = latest && (!isFinal(latest.status) || !(entered !== null || url.searchParams.has('new')));
  const found = isShown ? latest : null;
  const texts = translator(context.language, 'errors');
  const list = found ? await readItems(door, found, texts) : null;
  const reason = found?.failure ? texts(found.failure.code, found.failure.params) : null;
  return {
    title: translator(context.language, 'imports')('title'),
    found,
    list,
    reason,
    entered,
    hosts: pathsFor(url).moving,
  };
});

type Texts = ReturnType<typeof translator>;

async function readItems({ api, url }: Door, { id }: ImportView, texts: Texts): Promise<Page<ListedItem>> {
  const list = await api.imports.items({ id, page: (url.searchParams.get('page') ?? 1) as never });
  const items = list.items.map((item) => ({
    ...item,
    reason: item.reason ? texts(item.reason.code, item.reason.params) : null,
    leftOut: item.leftOut.map(({ part, code, params }) => ({ part, reason: texts(code, params) })),
  }));
  return { ...list, items };
}

const SEEN = 'seen';
async function requestImport(api: Door['api'], values: Record<string, string>, proof: 'email' | 'feed') {
  const { url = '', follow = 'false', isPrivate = 'false' } = values;
  await api.imports.request({ url, proof, follow, isPrivate });
  return 'import_requested';
}
const idOf = ({ id }: Record<string, string>) => ({ id: Number(id) || 0 });

export const action = form<string | PreviewedFeed>(
  sectionAction<string | PreviewedFeed>({
    preview: ({ api }, { url = '' }) => api.imports.preview({ url }),
    email: ({ api }, values) => requestImport(api, values, 'email'),
    feed: ({ api }, values) => requestImport(api, values, 'feed'),
    check: async ({ api }, values) => {
      await api.imports.proveByFeed(idOf(values));
      return 'import_confirmed';
    },
    cancel: async ({ api }, values) => {
      await api.imports.cancel(idOf(values));
      return 'import_cancelled';
    },
    private: async ({ api }, values) => {
      await api.imports.markPrivate(idOf(values));
      return 'episodes_private';
    },
    seen: async ({ api }, values) => {
      await api.imports.acknowledge(idOf(values));
      return SEEN;
    },
  }),
  {
    then: (done, { url }) => {
      if (typeof done !== 'string') return Response.json({ preview: done });
      // only a script sends this, from any page, and the user stays there
      if (done === SEEN) return Response.json({ seen: true });
      return withDoneMessage(pathsFor(url).importFeed, done);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

type ActionData = FormFailure | { preview: PreviewedFeed };

export default function ImportFeed() {
  const { t } = useTranslation('imports');
  const { found, list, reason, entered, hosts } = useLoaderData<typeof loader>();
  const result = useActionData<ActionData>();
  const isRunning = found?.status === 'in_progress' || found?.status === 'confirmed';
  const preview = result && 'preview' in result ? result.preview : null;
  const failure = result && 'ok' in result ? result : undefined;
  // a reload of the state would remove the message
  useRefresh(!failure && (isRunning || found?.status === 'awaiting_proof'));
  if (!found)
    return (
      <>
        <PageHeader title={t('title')} lead={t('lead')} help="importShow" />
        {preview ? (
          <FeedPreview preview={preview} />
        ) : (
          <ImportForm entered={entered ?? ''} hosts={hosts} failure={failure} />
        )}
      </>
    );
  return (
    <>
      <PageHeader title={t(titleOf(found.status), { name: found.preview.title })} />
      {failure?.message && (
        <p className={classes.message} role="alert">
          {failure.message}
        </p>
      )}
      {found.status === 'awaiting_proof' && <WaitingImport found={found} />}
      {isRunning && <ImportProgress found={found} />}
      {isFinal(found.status) && <ImportResult found={found} reason={reason} />}
      {list && <ItemList list={list} productId={found.productId} />}
    </>
  );
}

const TITLES = {
  awaiting_proof: 'waiting.title',
  confirmed: 'running.title',
  in_progress: 'running.title',
  imported: 'imported.title',
  failed: 'failed.title',
  cancelled: 'cancelled.title',
  expired: 'expired.title',
} as const;
const titleOf = (status: ImportView['status']) => TITLES[status];
