import { type Call, call } from '../call';
import { publicAddressOut } from '../serializers/pages';

export const pageCalls: Call[] = [
  call('GET get-redirect-url/', 'pages.address', {
    access: 'optional',
    summary: 'The current URL of the public page of an episode, a product or a creator.',
    out: publicAddressOut,
  }),
];
