import { Modal, type ModalProps } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useConfirm } from './confirm.tsx';
import { FormsContext, type IsDirty } from './unsaved.ts';
import { useReturnFocus } from './use-return-focus.ts';

interface FormModalProps extends ModalProps {
  /**
   * Returns true if the form has changes. Required only if the component that renders the dialog also
   * contains the form.
   */
  isDirty?: IsDirty;
}

/**
 * Modal that can contain a form. With a form, a click outside doesn't close the modal, and closing it in
 * other ways requires confirmation if there are unsaved changes. The form's Cancel button doesn't require
 * confirmation.
 */
export function FormModal({ isDirty, onClose, ...props }: FormModalProps) {
  const [forms, setForms] = useState<ReadonlySet<IsDirty>>(new Set());
  const add = useCallback((form: IsDirty) => {
    setForms((before) => new Set(before).add(form));
    return () => setForms((before) => new Set([...before].filter((each) => each !== form)));
  }, []);
  const confirm = useConfirm();
  const [isAsking, setAsking] = useState(false);
  const close = async () => {
    if (isAsking) return;
    if ([...forms, ...(isDirty ? [isDirty] : [])].some((isChanged) => isChanged())) {
      setAsking(true);
      // Wait for the next task, because otherwise the same key press would also close the confirmation, or
      // close this dialog again.
      await nextTask();
      const isSure = await confirm({
        title: 'Discard changes?',
        body: "You have unsaved changes. They'll be lost.",
        confirm: 'Discard changes',
        danger: true,
      });
      await nextTask();
      setAsking(false);
      if (!isSure) return;
    }
    onClose();
  };
  const hasForm = isDirty !== undefined || forms.size > 0;
  return (
    <FormsContext.Provider value={add}>
      <Modal
        {...props}
        onClose={() => void close()}
        closeOnClickOutside={(props.closeOnClickOutside ?? true) && !hasForm}
        // While the confirmation is open, Escape closes only the confirmation.
        closeOnEscape={(props.closeOnEscape ?? true) && !isAsking}
        trapFocus={(props.trapFocus ?? true) && !isAsking}
      />
    </FormsContext.Provider>
  );
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** Dialog that's mounted only while it's open. `Modal` returns the focus only if it closes while mounted. */
export function Dialog(props: Omit<FormModalProps, 'opened'>) {
  useReturnFocus();
  return <FormModal opened {...props} />;
}
