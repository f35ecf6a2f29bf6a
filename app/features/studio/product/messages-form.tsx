import { useMemo } from 'react';
import type { FormFailure } from '~/app/lib/doors.server';
import type { KindName } from '~/server/domain/products/kinds';
import { MessageFields } from './product-fields';
import { SettingsForm } from './settings-form';

type Product = { id: number; kind: KindName; welcomeMessage: string | null; subscriberEmailMessage: string | null };

/** The texts for people who subscribe, buy or follow. */
export function MessagesForm({ product, failure }: { product: Product; failure?: FormFailure }) {
  const { welcomeMessage, subscriberEmailMessage } = product;
  const initial = useMemo(
    () => ({ welcomeMessage: welcomeMessage ?? '', subscriberEmailMessage: subscriberEmailMessage ?? '' }),
    [welcomeMessage, subscriberEmailMessage],
  );
  return (
    <SettingsForm part="messages" product={product} initial={initial} failure={failure}>
      <MessageFields />
    </SettingsForm>
  );
}
