import { createContext, useContext, useEffect, useRef } from 'react';

export type IsDirty = () => boolean;
/** Adds a form to the dialog around it. @returns Removes it. */
export const FormsContext = createContext<((isDirty: IsDirty) => () => void) | null>(null);

/** For a form that can be in a dialog: the dialog asks before it discards changes. */
export function useUnsaved(isDirty: IsDirty): void {
  const add = useContext(FormsContext);
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  useEffect(() => add?.(() => latest.current()), [add]);
}
