import { data, type HeadersFunction, redirect } from '@remix-run/node';
import { DeveloperTabs } from '~/app/features/studio/developers/developer-tabs';
import type { EndpointLog } from '~/app/features/studio/webhooks/delivery-log';
import { EndpointForm } from '~/app/features/studio/webhooks/endpoint-form';
import { EndpointList } from '~/app/features/studio/webhooks/endpoint-list';
import { EndpointPage } from '~/app/features/studio/webhooks/endpoint-page';
import { chosenEvents } from '~/app/features/studio/webhooks/event-boxes';
import { NewSecret } from '~/app/features/studio/webhooks/new-secret';
import classes from '~/app/features/studio/webhooks/webhooks.module.css';
import type { FormValues } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { WEBHOOKS_PATH } from '~/server/base/account-paths';
import { WEBHOOK_LIMITS } from '~/server/limits/webhooks';

const pathOf = (url: URL): string => prefixOf(url.pathname) + WEBHOOKS_PATH;
const endpointIdOf = ({ url }: Door): string => url.searchParams.get('endpoint') ?? '';

/** The addresses that get the creator's events; with `?endpoint=`, one of them with its log. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).claimPageFor(url.pathname));
  await requireAbility(door, 'creator.manageWebhooks');
  const endpoints = await api.webhooks.list();
  const title = translator(context.language, 'webhooks')('title');
  const id = endpointIdOf(door);
  if (id === '') return { title, endpoints, chosen: null };
  const endpoint = endpoints.find((one) => one.id === id);
  const gone = 'webhook.not_found';
  if (!endpoint) throw data({ message: context.translate(`errors:${gone}`), code: gone }, { status: 404 });
  const log = await logOf(door, id);
  const codes = log.items.flatMap(({ attempts }) => attempts.flatMap(({ failure }) => failure ?? []));
  const { host } = new URL(endpoint.url);
  const reasons = Object.fromEntries(codes.map((code) => [code, context.translate(`errors:${code}`, { host })]));
  return { title, endpoints, chosen: { endpoint, log, reasons, list: pathOf(url) } };
});

/** A page of an endpoint's log; with `?delivery=`, one delivery with whole answers. */
async function logOf({ api, url: { searchParams } }: Door, endpointId: string): Promise<EndpointLog> {
  const deliveryId = searchParams.get('delivery');
  if (deliveryId === null) return api.webhooks.deliveries({ endpointId, page: searchParams.get('page') ?? 1 } as never);
  const item = await api.webhooks.delivery({ endpointId, deliveryId: Number(deliveryId) || 0 });
  return { items: [item], total: 1, page: 1, pageSize: 1, isOne: true };
}

type Done = { message: string } | { ok: true; secret: string };

const valuesOf = ({ url = '', description = '', ...values }: FormValues) => ({
  ...{ url, description },
  events: chosenEvents(values),
});

export const action = form<Done>(
  sectionAction<Done>({
    create: async ({ api }, values) => {
      const { secret } = await api.webhooks.create({ ...valuesOf(values), kind: values.kind } as never);
      return secret === null ? { message: 'webhook_added' } : { ok: true, secret };
    },
    change: async (door, values) => {
      await door.api.webhooks.change({ ...valuesOf(values), endpointId: endpointIdOf(door) });
      return { message: 'webhook_changed' };
    },
    rotate: async (door) => ({
      ok: true,
      ...(await door.api.webhooks.rotateSecret({ endpointId: endpointIdOf(door) })),
    }),
    switch: async (door, { isOn }) => {
      await door.api.webhooks.switch({ endpointId: endpointIdOf(door), isOn: isOn === 'true' });
      return { message: isOn === 'true' ? 'webhook_switched_on' : 'webhook_switched_off' };
    },
    test: async (door, { type }) => {
      await door.api.webhooks.test({ endpointId: endpointIdOf(door), type } as never);
      return { message: 'webhook_tested' };
    },
    redeliver: async (door, { deliveryId }) => {
      await door.api.webhooks.redeliver({ endpointId: endpointIdOf(door), deliveryId: Number(deliveryId) || 0 });
      return { message: 'webhook_redelivered' };
    },
    remove: async (door) => {
      await door.api.webhooks.remove({ endpointId: endpointIdOf(door) });
      return { message: 'webhook_removed' };
    },
  }),
  {
    // a secret is shown once, so it is in the answer and not in a redirect
    then: (done, door) => {
      if ('ok' in done) return Response.json(done, { headers: { 'cache-control': 'no-store' } });
      const list = pathOf(door.url);
      const id = done.message === 'webhook_removed' ? '' : endpointIdOf(door);
      return withDoneMessage(id ? `${list}?endpoint=${encodeURIComponent(id)}` : list, done.message);
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;
/** The answer to the form contains a secret. */
export const headers: HeadersFunction = () => ({ 'cache-control': 'no-store' });

export default function Webhooks() {
  const { t } = useTranslation('webhooks');
  const { endpoints, chosen } = useLoaderData<typeof loader>();
  const result = useActionData<FormFailure | { ok: true; secret: string }>();
  const failure = result?.ok === false ? result : undefined;
  const isFull = endpoints.length >= WEBHOOK_LIMITS.endpoints;
  return (
    <div className={classes.sections}>
      <div>
        <DeveloperTabs />
        {result?.ok && <NewSecret secret={result.secret} />}
      </div>
      {chosen ? (
        <EndpointPage key={chosen.endpoint.id} {...chosen} failure={failure} />
      ) : (
        <>
          <EndpointList endpoints={endpoints} />
          <div className={classes.narrow}>
            {isFull ? (
              <p>{t('new.full', { count: WEBHOOK_LIMITS.endpoints })}</p>
            ) : (
              // once it has added an address, the form is empty again
              <EndpointForm key={endpoints.length} failure={failure} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
