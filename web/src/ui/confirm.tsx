import { createContext, lazy, Suspense, useCallback, useContext, useState } from 'react';

/** Loaded on demand, to keep the dialog out of the initial bundle. */
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

export interface ConfirmationOptions {
  title: string;
  /** Consequences of the action, including other resources that it affects. */
  body: React.ReactNode;
  /** Label of the confirm button, such as "Delete" or "Disable". */
  confirm: string;
  danger?: boolean;
}

type Ask = (question: ConfirmationOptions) => Promise<boolean>;
const ConfirmContext = createContext<Ask>(async () => false);

/**
 * Returns a function that asks for confirmation of a destructive action. Its promise resolves to true if the
 * user confirms.
 */
export const useConfirm = (): Ask => useContext(ConfirmContext);

export function ConfirmProvider({ children }: { children: React.ReactNode }) {
  const [asked, setAsked] = useState<(ConfirmationOptions & { answer: (yes: boolean) => void }) | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback<Ask>(
    (question) =>
      new Promise((answer) => {
        setAsked({ ...question, answer });
        setOpen(true);
      }),
    [],
  );
  const close = (yes: boolean) => {
    setOpen(false);
    asked?.answer(yes);
  };
  return (
    <ConfirmContext.Provider value={ask}>
      {children}
      <Suspense>{asked && <ConfirmDialog question={asked} isOpen={isOpen} onClose={close} />}</Suspense>
    </ConfirmContext.Provider>
  );
}
