import { Button } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useState } from 'react';
import { ConfirmDialog } from '~/app/components/confirm-dialog';
import { Section } from '~/app/features/studio/page-head';
import classes from '~/app/features/studio/page-head.module.css';
import { useTranslation } from '~/app/lib/translation';

const FORM = 'retire-product';

/** Takes a product off the shelves, after its name was typed. */
export function RetireProduct({ product }: { product: { name: string; episodesCount: number } }) {
  const { t } = useTranslation('product');
  const [asking, setAsking] = useState(false);
  return (
    <div className={classes.form} style={{ marginTop: 48 }}>
      <Section title={t('retire.title')}>
        <p style={{ margin: 0 }}>{t('retire.text', { count: product.episodesCount })}</p>
        <Form method="post" id={FORM}>
          <input type="hidden" name="intent" value="retire" />
          <noscript>
            <button type="submit">{t('retire.act')}</button>
          </noscript>
        </Form>
        <div>
          <Button type="button" variant="default" onClick={() => setAsking(true)} data-needs-script>
            {t('retire.ask')}
          </Button>
        </div>
        <ConfirmDialog
          open={asking}
          title={t('retire.sure', { name: product.name })}
          name={product.name}
          nameLabel={t('retire.type')}
          action={t('retire.act')}
          cancel={t('cancel')}
          onCancel={() => setAsking(false)}
          form={FORM}
        >
          <p>{t('retire.lost', { count: product.episodesCount })}</p>
        </ConfirmDialog>
      </Section>
    </div>
  );
}
