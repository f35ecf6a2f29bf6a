import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Button } from '~/app/components/button';
import { ConfirmDialog, ConfirmWithoutScript } from '~/app/components/confirm-dialog';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

const FORM = 'delete-product';

/** Deletes a product after the user has typed its name. The server checks the name, too. */
export function DeleteProduct({ product }: { product: { name: string; allEpisodesCount: number } }) {
  const { t } = useTranslation('product');
  const [confirming, setConfirming] = useState(false);
  const warning = t('delete.warning', { count: product.allEpisodesCount });
  return (
    <Section title={t('delete.title')}>
      <p>{t('delete.text', { count: product.allEpisodesCount })}</p>
      <Form method="post" id={FORM}>
        <input type="hidden" name="intent" value="delete" />
        <ConfirmWithoutScript open={t('delete.open')} action={t('delete.submit')}>
          {warning}
          <TextInput
            name="confirmation"
            label={t('delete.typeName')}
            description={product.name}
            autoComplete="off"
            required
          />
        </ConfirmWithoutScript>
      </Form>
      <div>
        <Button type="button" variant="outline" color="red" onClick={() => setConfirming(true)} data-needs-script>
          {t('delete.open')}
        </Button>
      </div>
      <ConfirmDialog
        open={confirming}
        title={t('delete.question', { name: product.name })}
        name={product.name}
        nameLabel={t('delete.typeName')}
        action={t('delete.submit')}
        cancel={t('cancel')}
        onCancel={() => setConfirming(false)}
        form={FORM}
      >
        <p>{warning}</p>
      </ConfirmDialog>
    </Section>
  );
}
