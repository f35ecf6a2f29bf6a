import '~/app/styles/choices.css';
import '~/app/styles/donation.css';
import { type MetaFunction, redirectDocument } from '@remix-run/node';
import { creatorIdOf, donationPageData } from '~/app/features/listener/donation/donation-data.server';
import { DonationPage } from '~/app/features/listener/donation/donation-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';

/** The donation page, and the step that opens the payment page. After an error, the step shows the form again. */
export const loader = page(donationPageData);

export const action = form(
  (door, { choice = 'other', amount = '', ...values }) =>
    door.api.donations.give({
      ...values,
      creatorId: creatorIdOf(door),
      amount: choice === 'other' ? amount : choice,
    } as never),
  // the payment page belongs to another site, or to the sandbox
  { then: ({ url }) => redirectDocument(url) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Donate() {
  return <DonationPage page={useLoaderData<typeof loader>()} failure={useActionData<FormFailure>()} />;
}
