import { type Call, call } from '../call';
import { unsubscribedOut } from '../serializers/notifications';

export const notificationCalls: Call[] = [
  call('POST unsubscribe-from-new_episodes/', 'notifications.unsubscribe', {
    access: 'none',
    summary: 'End emails about new episodes of a show, with the signature from such an email.',
    out: unsubscribedOut,
  }),
];
