import { createContext, useContext, useEffect, useRef } from 'react';

export type IsDirty = () => boolean;
/**
 * Function that registers a form in the surrounding dialog.
 * @returns A function that unregisters the form.
 */
export const FormsContext = createContext<((isDirty: IsDirty) => () => void) | null>(null);

/**
 * Registers a form that can be in a dialog. The dialog then requires confirmation before it discards changes.
 */
export function useUnsaved(isDirty: IsDirty): void {
  const add = useContext(FormsContext);
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  useEffect(() => add?.(() => latest.current()), [add]);
}
