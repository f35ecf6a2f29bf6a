import '~/app/styles/buying.css';
import '~/app/styles/choices.css';
import { type MetaFunction, redirectDocument } from '@remix-run/node';
import { OfferChoice } from '~/app/features/listener/buying/offer-choice';
import { offerData } from '~/app/features/listener/buying/offer-data.server';
import { Bill, BoughtShow } from '~/app/features/listener/buying/offer-summary';
import { PayForm } from '~/app/features/listener/buying/pay-form';
import { Refusal } from '~/app/features/listener/buying/refusal';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';

/** The purchase before its payment: `?product=7&interval=month&coupon=CODE`. */
export const loader = page(offerData);

/** The payment page is on another site, or at least not a page of this app. */
export const action = form(({ api }, values) => api.billing.buy(values as never), {
  then: ({ url }) => redirectDocument(url, 303),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function PaymentPage() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  const { title, refusal, sale, product } = data;
  return (
    <SiteShell>
      <div className="wrap form-page buying">
        <h1>{title}</h1>
        <BoughtShow {...data} />
        {refusal ? (
          <Refusal refusal={refusal} data={data} />
        ) : (
          sale && (
            <>
              <OfferChoice productId={product.id} sale={sale} />
              <Bill sale={sale} />
              <PayForm data={data} sale={sale} failure={failure} />
            </>
          )
        )}
      </div>
    </SiteShell>
  );
}
