import { Button } from '@mantine/core';

/** Button that applies a change. Its label can wrap, because version names can be long. */
export const ChangeButton = Button.withProps({
  variant: 'default',
  size: 'compact-sm',
  h: 'auto',
  mih: 26,
  py: 3,
  fw: 500,
  styles: {
    label: {
      whiteSpace: 'normal',
      overflow: 'visible',
      overflowWrap: 'anywhere',
      textAlign: 'start',
      lineHeight: 1.35,
    },
  },
});
