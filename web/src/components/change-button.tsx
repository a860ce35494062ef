import { Button } from '@mantine/core';

/** A button for a change. Its label can be long, because versions can be. */
export const ChangeButton = Button.withProps({
  variant: 'default',
  size: 'compact-sm',
  h: 'auto',
  mih: 26,
  fw: 500,
  styles: {
    label: { whiteSpace: 'normal', overflow: 'visible', overflowWrap: 'anywhere', textAlign: 'start' },
  },
});
