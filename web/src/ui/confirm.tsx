import { createContext, lazy, Suspense, useCallback, useContext, useState } from 'react';

/** Not part of the first script. */
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

export interface Question {
  title: string;
  /** What will happen, with what goes along. */
  body: React.ReactNode;
  /** The word on the button: "Delete", "Deactivate". */
  confirm: string;
  danger?: boolean;
}

type Ask = (question: Question) => Promise<boolean>;
const ConfirmContext = createContext<Ask>(async () => false);

/** Asks before something that cannot be undone. Resolves with the answer. */
export const useConfirm = (): Ask => useContext(ConfirmContext);

export function ConfirmProvider({ children }: { children: React.ReactNode }) {
  const [asked, setAsked] = useState<(Question & { answer: (yes: boolean) => void }) | null>(null);
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
