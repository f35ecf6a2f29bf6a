import {
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  Checkbox,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  NativeSelect,
  Notification,
  Pagination,
  Radio,
  Skeleton,
  Textarea,
  TextInput,
} from '@mantine/core';
import classes from './theme.module.css';

/** Mantine wants ten steps of a colour; ours are the tokens of app/styles/tokens.css and what lies between them. */
const coral: MantineColorsTuple = [
  '#ffe7e1',
  '#ffd2c7',
  '#ffb09e',
  '#fb8c74',
  '#ee6a4f',
  '#dd4d35',
  '#c93a27',
  '#a92f1e',
  '#8a2617',
  '#6d1d11',
];
const ink: MantineColorsTuple = [
  '#fbfaf8',
  '#e5e0d8',
  '#b8b4c4',
  '#7d778c',
  '#3a3648',
  '#322e3f',
  '#262331',
  '#15131d',
  '#100e17',
  '#0b0a10',
];

const input = { input: classes.input, label: classes.label, description: classes.help, error: classes.error };

export const theme = createTheme({
  colors: { coral, dark: ink },
  primaryColor: 'coral',
  primaryShade: 6,
  black: '#15131d',
  fontFamily: 'var(--text-face)',
  headings: { fontFamily: 'var(--display)', fontWeight: '700' },
  defaultRadius: '10px',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'md' }, classNames: { root: classes.button } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'md' }, classNames: input }),
    Textarea: Textarea.extend({ defaultProps: { size: 'md' }, classNames: input }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'md' }, classNames: input }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'md' }, classNames: { description: classes.help } }),
    Radio: Radio.extend({ defaultProps: { size: 'md' } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: 14, overlayProps: { backgroundOpacity: 0.45, blur: 2 } },
      classNames: { title: classes.modalTitle, content: classes.surface, header: classes.surface },
    }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', radius: 10 }, classNames: { item: classes.menuItem } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm' }, classNames: { root: classes.badge } }),
    Alert: Alert.extend({ classNames: { title: classes.alertTitle, message: classes.alertMessage } }),
    Notification: Notification.extend({ classNames: { root: classes.toast, description: classes.toastText } }),
    Skeleton: Skeleton.extend({ classNames: { root: classes.skeleton } }),
    Pagination: Pagination.extend({ defaultProps: { radius: 8 } }),
    Loader: Loader.extend({ defaultProps: { color: 'var(--accent)' } }),
  },
});

/** The tokens change with the scheme by themselves, so each of Mantine's names says the same in both, and without any script. */
const names = {
  '--mantine-color-body': 'var(--ground)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--well)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--edge)',
  '--mantine-primary-color-filled': 'var(--action)',
  '--mantine-primary-color-filled-hover': 'var(--coral-700)',
  '--mantine-primary-color-light': 'var(--action-soft)',
  '--mantine-primary-color-light-hover': 'var(--action-soft)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-action)',
};

export const tokensAsVariables: CSSVariablesResolver = () => ({ variables: names, light: names, dark: names });
