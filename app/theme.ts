import { createTheme, type MantineColorsTuple } from '@mantine/core';
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
  // as objects instead of `Component.extend`, which would load every component with the theme
  components: {
    Button: {
      defaultProps: { size: 'md' },
      classNames: { root: classes.button, inner: classes.buttonInner, label: classes.buttonLabel },
    },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    TextInput: { defaultProps: { size: 'md' }, classNames: input },
    Textarea: { defaultProps: { size: 'md' }, classNames: input },
    NativeSelect: { defaultProps: { size: 'md' }, classNames: input },
    Checkbox: {
      defaultProps: { size: 'md', radius: 5 },
      classNames: { description: classes.help, input: classes.box },
    },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' }, classNames: { root: classes.badge } },
    Alert: { classNames: { title: classes.alertTitle, message: classes.alertMessage } },
    Loader: { defaultProps: { color: 'var(--accent)' } },
  },
});
