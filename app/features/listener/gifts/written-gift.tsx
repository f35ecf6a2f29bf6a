import { useState } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import { GiftCard } from './gift-card';
import { GiftForm } from './gift-form';
import type { GiftOfferData } from './gift-offer.server';

type Props = { data: GiftOfferData; failure: FormFailure | undefined };

/** The form of a gift, below the card as its recipient will see it: the card follows what the giver writes. */
export function WrittenGift({ data, failure }: Props) {
  const [words, setWords] = useState(() => firstWords(data, failure));
  return (
    <>
      <GiftCard {...data} {...words} />
      {data.refusal ? (
        <p className="notice" role="status">
          {data.refusal}
        </p>
      ) : (
        <GiftForm data={data} failure={failure} onWrite={(fields) => setWords(wordsOf(fields))} />
      )}
    </>
  );
}

const wordsOf = (fields: FormData) => ({
  to: textIn(fields, 'recipientName'),
  from: textIn(fields, 'giverName'),
  message: textIn(fields, 'message'),
});

const textIn = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim();

/** What the form fills in. */
function firstWords({ kept, buyer }: GiftOfferData, failure: FormFailure | undefined) {
  const sent = failure?.values;
  return {
    to: sent?.recipientName ?? kept?.recipientName ?? '',
    from: sent?.giverName ?? kept?.giverName ?? buyer.name,
    message: sent?.message ?? kept?.message ?? '',
  };
}
