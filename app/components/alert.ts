/** The only file that knows where alerts come from; app/theme.ts has their look. */
export { Alert } from '@mantine/core';
