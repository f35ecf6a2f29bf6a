import { type Call, call, paged } from '../call';
import { productOut } from '../serializers/products';
import { forEachKind } from './for-each-kind';

const productPage = paged(productOut);

export const productCalls: Call[] = [
  call('GET all-audios/', 'products.list', {
    access: 'auth',
    summary: "The creator's podcasts and audio series in one list.",
    names: { type: 'kind' },
    out: productPage,
  }),
  call('GET open-podcast/:id/', 'products.get', {
    variant: 'open',
    access: 'none',
    summary: 'A podcast as visitors see it.',
    fixed: { kind: 'podcast' },
    out: productOut,
  }),
  ...forEachKind((kind, { path, legacy }) => [
    call(`POST ${path}/`, 'products.create', {
      access: 'auth',
      summary: 'Create a product. Requires a creator with a domain.',
      fixed: { kind },
      out: productOut,
      status: 201,
    }),
    call(`GET ${path}/`, 'products.list', {
      access: 'optional',
      summary: "The creator's own products. 401 for anonymous callers.",
      fixed: { kind },
      out: productPage,
    }),
    call(`GET ${path}/:id/`, 'products.get', {
      access: 'optional',
      summary: 'One product.',
      fixed: { kind },
      out: productOut,
    }),
    call(`PATCH ${path}/:id/`, 'products.update', {
      access: 'owner',
      summary: 'Update the given fields.',
      fixed: { kind },
      out: productOut,
    }),
    call(`DELETE ${legacy.remove}/:id/`, 'products.retire', {
      access: 'owner',
      summary: 'Delete a product.',
      fixed: { kind },
    }),
  ]),
];
