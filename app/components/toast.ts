import { notifications } from '@mantine/notifications';

/** Says something that was done; it goes by itself (spec §9: after 5,000 ms). `close` names the button that ends it sooner. */
export function toast(message: string, close: string): void {
  notifications.show({
    message,
    role: 'status',
    color: 'var(--positive)',
    closeButtonProps: { 'aria-label': close },
  });
}
