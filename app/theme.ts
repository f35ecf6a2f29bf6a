import {
  Alert,
  Badge,
  Button,
  Checkbox,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  NativeSelect,
  Notification,
  Skeleton,
  Textarea,
  TextInput,
} from '@mantine/core';
import classes from './theme.module.css';

/**
 * The colours, fonts and sizes are in CSS: app/theme.css maps Mantine's variables to the tokens of
 * app/styles/tokens.css. Mantine's own style tag would need a nonce, which is missing after a navigation from a cached
 * page.
 */
const coral = Array.from(
  { length: 10 },
  (_, step) => `var(--mantine-color-coral-${step})`,
) as unknown as MantineColorsTuple;

const input = { input: classes.input, label: classes.label, description: classes.help, error: classes.error };

export const theme = createTheme({
  colors: { coral },
  primaryColor: 'coral',
  primaryShade: 6,
  fontFamily: 'var(--text-face)',
  headings: { fontFamily: 'var(--display)', fontWeight: '700' },
  defaultRadius: '10px',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'md' },
      classNames: { root: classes.button, inner: classes.buttonInner, label: classes.buttonLabel },
    }),
    TextInput: TextInput.extend({ defaultProps: { size: 'md' }, classNames: input }),
    Textarea: Textarea.extend({ defaultProps: { size: 'md' }, classNames: input }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'md' }, classNames: input }),
    Checkbox: Checkbox.extend({
      defaultProps: { size: 'md', radius: 5 },
      classNames: { description: classes.help, input: classes.box },
    }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', radius: 10 }, classNames: { item: classes.menuItem } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm' }, classNames: { root: classes.badge } }),
    Alert: Alert.extend({ classNames: { title: classes.alertTitle, message: classes.alertMessage } }),
    Notification: Notification.extend({ classNames: { root: classes.toast, description: classes.toastText } }),
    Skeleton: Skeleton.extend({ classNames: { root: classes.skeleton } }),
    Loader: Loader.extend({ defaultProps: { color: 'var(--accent)' } }),
  },
});
