/** The only file that knows where buttons come from; app/theme.ts has their look. */
export { Button } from '@mantine/core';
