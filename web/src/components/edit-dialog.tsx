import type { ReactNode } from 'react';
import { FormModal } from '../ui/dialog.tsx';
import { EditSession, type IfMatch } from './edited.tsx';

/** Properties that a dialog passes to its form. */
interface DialogForm<Body> {
  submit: string;
  save: (body: Body) => Promise<void>;
  onCancel: () => void;
}

/** Dialog with the form of an existing resource. Closes when the change has been saved. */
export function EditDialog<Resource extends { id: number; revision: number }, Body>({
  title,
  size = 'xl',
  resource,
  isOpen,
  close,
  update,
  children,
}: {
  title: string;
  size?: 'lg' | 'xl';
  resource: Resource;
  isOpen: boolean;
  close: () => void;
  update: (input: { path: { id: number }; body: Body } & IfMatch) => Promise<unknown>;
  children: (opened: Resource, form: DialogForm<Body>) => ReactNode;
}) {
  return (
    <FormModal opened={isOpen} onClose={close} title={title} size={size}>
      <EditSession resource={resource}>
        {(opened, ifMatch) =>
          children(opened, {
            submit: 'Save changes',
            save: async (body) => {
              await update({ path: { id: opened.id }, body, ...ifMatch });
              close();
            },
            onCancel: close,
          })
        }
      </EditSession>
    </FormModal>
  );
}
