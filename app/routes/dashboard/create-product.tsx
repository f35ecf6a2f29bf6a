import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { CreateWizard } from '~/app/features/studio/product/create-wizard';
import { CREATE_REQUIRED } from '~/app/features/studio/product/wizard-steps';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, type ShouldRevalidateFunction, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { kindOfPath } from '~/server/domain/products/kinds';
import { createProduct } from '~/server/domain/products/schema';

/** Creators without a page are redirected to claim one first. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  await requireAbility(door, 'product.manage');
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsFor(url).start('page'));
  const languages = await api.reference.languages();
  const kind = kindOfPath(url.searchParams.get('kind') ?? '') ?? undefined;
  const title = translator(context.language, 'product')('create.title');
  const look = { name: creator.name, buttonColor: creator.buttonColor };
  return { title, languages, kind, look, base: context.urls.product(creator.domain, '') };
});

export const action = form(({ api }, values) => api.products.create(toInput(createProduct, values, CREATE_REQUIRED)), {
  then: (product, { url }) => withDoneMessage(pathsFor(url).product(product), 'product_created'),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

/** Changing the step needs no new data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;

export default function CreateProduct() {
  const { t } = useTranslation('product');
  const { languages, kind, base, look } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('create.title')}
        lead={
          <>
            <span data-needs-script>{t('create.lead')}</span> {t('create.elsewhere')}{' '}
            <Link to={paths.newImport}>{t('list.import')}</Link>
          </>
        }
      />
      <CreateWizard kind={kind} languages={languages} base={base} look={look} failure={failure} />
    </>
  );
}
