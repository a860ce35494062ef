import { Modal, type ModalProps } from '@mantine/core';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog that exists only while it is open. `Modal` gives the focus back only where it stays and closes. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useReturnFocus();
  return <Modal opened {...props} />;
}
