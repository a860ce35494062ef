import { useEffect, useRef } from 'react';

/** When the component unmounts, returns the focus to the element that had it before the component mounted. */
export function useReturnFocus(): void {
  const before = useRef<Element | null>(undefined);
  if (before.current === undefined) before.current = openerOf(document.activeElement);
  useEffect(() => {
    // The opener can be in a dialog that has just closed and has already returned the focus.
    if (before.current?.isConnected !== true) before.current = document.activeElement;
    return () => {
      // The focus isn't moved if another element has it.
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    };
  }, []);
}

/**
 * Returns the element to focus later. A menu closes when an item is selected, so for an item, that's the
 * button that opens the menu.
 */
function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}
