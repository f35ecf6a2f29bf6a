import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useState } from 'react';
import { ConfirmDialog, ConfirmWithoutScript } from '~/app/components/confirm-dialog';
import { Section } from '~/app/components/page-header';
import classes from '~/app/components/page-header.module.css';
import { useTranslation } from '~/app/lib/translation';

const FORM = 'delete-product';

/** Deletes a product after the user has typed its name. */
export function DeleteProduct({ product }: { product: { name: string; allEpisodesCount: number } }) {
  const { t } = useTranslation('product');
  const [confirming, setConfirming] = useState(false);
  return (
    <div className={classes.form} style={{ marginTop: 48 }}>
      <Section title={t('delete.title')}>
        <p style={{ margin: 0 }}>{t('delete.text', { count: product.allEpisodesCount })}</p>
        <Form method="post" id={FORM}>
          <input type="hidden" name="intent" value="delete" />
          <ConfirmWithoutScript open={t('delete.open')} action={t('delete.submit')}>
            {t('delete.warning', { count: product.allEpisodesCount })}
          </ConfirmWithoutScript>
        </Form>
        <div>
          <Button type="button" variant="default" onClick={() => setConfirming(true)} data-needs-script>
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
          <p>{t('delete.warning', { count: product.allEpisodesCount })}</p>
        </ConfirmDialog>
      </Section>
    </div>
  );
}
