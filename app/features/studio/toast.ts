import { notifications } from '@mantine/notifications';

/** Says something that was done; it goes by itself (spec §9: after 5,000 ms). */
export function toast(message: string): void {
  notifications.show({ message, role: 'status', withBorder: false, color: 'var(--positive)' });
}

/** Says what went wrong; it stays until it is closed. */
export function toastProblem(message: string): void {
  notifications.show({ message, role: 'alert', autoClose: false, color: 'var(--danger)' });
}
