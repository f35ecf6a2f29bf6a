import { type Call, call, paged } from '../call';
import { publicAddressOut } from '../serializers/pages';
import { productOut } from '../serializers/products';

export const pageCalls: Call[] = [
  call('GET discover/', 'pages.discover', {
    access: 'none',
    summary: 'Published products that their creators have not hidden. At most 500 are counted and listed.',
    names: { type: 'kind' },
    out: paged(productOut),
  }),
  call('GET get-redirect-url/', 'pages.address', {
    access: 'optional',
    summary: 'The current URL of the public page of an episode, a product or a creator.',
    out: publicAddressOut,
  }),
];
