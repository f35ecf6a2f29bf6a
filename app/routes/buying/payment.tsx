import '~/app/styles/buying.css';
import '~/app/styles/choices.css';
import { type MetaFunction, redirectDocument } from '@remix-run/node';
import { CHOOSE, choiceOf, withoutOtherAmount } from '~/app/features/listener/buying/chosen-offer';
import { offerData } from '~/app/features/listener/buying/offer-data.server';
import { BoughtShow } from '~/app/features/listener/buying/offer-summary';
import { PayForm } from '~/app/features/listener/buying/pay-form';
import { Refusal } from '~/app/features/listener/buying/refusal';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';

/** The purchase before its payment: `?product=7&interval=month&coupon=CODE`. */
export const loader = page(offerData);

/** The payment page is on another site, or at least not a page of this app. */
export const action = form(submitOffer, { then: ({ url }) => redirectDocument(url, 303) });

async function submitOffer({ api, url }: Door, sent: Record<string, string>): Promise<{ url: string }> {
  const values = withoutOtherAmount(sent);
  if (values.intent === CHOOSE) return { url: `${url.pathname.replace(/\.data$/, '')}?${choiceOf(values)}` };
  return api.billing.buy(values as never);
}

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function PaymentPage() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const { title, refusal, sale, brand } = data;
  return (
    <SiteShell brand={brand}>
      <div className={sale && !refusal ? 'wrap form-page buying in-columns' : 'wrap form-page buying'}>
        <h1>{title}</h1>
        <BoughtShow {...data} />
        {refusal ? (
          <Refusal refusal={refusal} data={data} />
        ) : (
          sale && <PayForm data={data} sale={sale} failure={failure} />
        )}
      </div>
    </SiteShell>
  );
}
