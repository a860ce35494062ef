import { Modal, type ModalProps } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useConfirm } from './confirm.tsx';
import { FormsContext, type IsDirty } from './unsaved.ts';
import { useReturnFocus } from './use-return-focus.ts';

interface FormModalProps extends ModalProps {
  /** Whether a form has changes, if the component of the dialog has the form itself. */
  isDirty?: IsDirty;
}

/**
 * A modal that can have a form. Then a click outside doesn't close it, and other ways to close it ask before changes are
 * discarded. A Cancel button of the form doesn't ask.
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
      // The key that got here would also close the question, and the key that closes the question would get here again.
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
        // While it asks, Escape belongs to the question.
        closeOnEscape={(props.closeOnEscape ?? true) && !isAsking}
        trapFocus={(props.trapFocus ?? true) && !isAsking}
      />
    </FormsContext.Provider>
  );
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** A dialog that is mounted only while it's open. `Modal` returns the focus only if it closes while mounted. */
export function Dialog(props: Omit<FormModalProps, 'opened'>) {
  useReturnFocus();
  return <FormModal opened {...props} />;
}
