import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { CREATE_REQUIRED, CreateForm } from '~/app/features/studio/product/create-form';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
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
  // a show without an episode is of no use to anybody, so the upload comes next
  then: (product, { url }) => withDoneMessage(pathsFor(url).createEpisode(product), 'product_created'),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

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
            {t('create.elsewhere')} <Link to={paths.newImport}>{t('list.import')}</Link>
          </>
        }
        help="createShow"
      />
      <CreateForm kind={kind} languages={languages} base={base} look={look} failure={failure} />
    </>
  );
}
