import { useEffect, useRef } from 'react';

/** Gives the focus back, when the component is gone, to what had it before the component was there. */
export function useReturnFocus(): void {
  const before = useRef<Element | null>(undefined);
  if (before.current === undefined) before.current = openerOf(document.activeElement);
  useEffect(() => {
    // What opened it can be in a dialog that has just closed, and gave the focus back itself.
    if (before.current?.isConnected !== true) before.current = document.activeElement;
    return () => {
      // Whoever has the focus by now keeps it.
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    };
  }, []);
}

/** A menu closes when one of its items is chosen, so the focus goes to the button that opens it. */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}
