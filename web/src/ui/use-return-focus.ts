import { useEffect, useRef } from 'react';

/** When the component unmounts, returns the focus to the element that had it before the component mounted. */
export function useReturnFocus(): void {
  const before = useRef<Element | null>(undefined);
  if (before.current === undefined) before.current = openerOf(document.activeElement);
  useEffect(() => {
    // The opener can be in a dialog that has just closed and has already returned the focus.
    if (before.current?.isConnected !== true) before.current = document.activeElement;
    return () => {
      // Don't take the focus from another element.
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
