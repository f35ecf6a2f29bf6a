import { notifications, notificationsStore } from '@mantine/notifications';

/** Shows a success message, which closes after 5,000 ms (spec §9). `close` labels the button that closes it sooner. */
export function showToast(message: string, close: string): void {
  notifications.show({
    message,
    role: 'status',
    color: 'var(--positive)',
    closeButtonProps: { 'aria-label': close },
  });
}

/** Closes success messages that are no longer true. Errors stay. */
export function closeToasts(): void {
  notifications.updateState(notificationsStore, (current) => current.filter(({ role }) => role !== 'status'));
}

/** Shows an error, which stays until the user closes it. */
export function showErrorToast(message: string, close: string): void {
  notifications.show({
    message,
    role: 'alert',
    color: 'var(--danger)',
    autoClose: false,
    closeButtonProps: { 'aria-label': close },
  });
}
