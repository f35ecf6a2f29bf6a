import { HelpLink } from '~/app/components/help-link';
import '~/app/styles/buying.css';
import '~/app/styles/choices.css';
import { type MetaFunction, redirectDocument } from '@remix-run/node';
import { giftOfferData } from '~/app/features/listener/gifts/gift-offer.server';
import { WrittenGift } from '~/app/features/listener/gifts/written-gift';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';

/** The form to buy a show as a gift, before the payment page. */
export const loader = page(giftOfferData);

export const action = form(({ api }, values) => api.gifts.buy(values as never), {
  then: ({ url }) => redirectDocument(url, 303),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function BuyGiftPage() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<typeof action>();
  return (
    <SiteShell brand={data.brand}>
      <div className="wrap form-page buying">
        <h1>{data.title}</h1>
        <HelpLink screen="giveGift" />
        <WrittenGift key={data.product.id} data={data} failure={failure} />
      </div>
    </SiteShell>
  );
}
