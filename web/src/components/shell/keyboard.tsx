import { lazy, Suspense, useEffect, useState } from 'react';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const KeyHelp = lazy(() => import('./key-help.tsx'));

type Opened = 'palette' | 'help' | null;

/** Event target through which buttons open the command palette. */
export const paletteEvents = new EventTarget();

/**
 * Handles the global keyboard shortcuts and renders the dialogs that they open. The dialogs load on first
 * use.
 */
export function Keyboard() {
  const [opened, setOpened] = useState<Opened>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpened((now) => (now === 'palette' ? null : 'palette'));
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      if (event.key === '?') setOpened('help');
      else if (handleListKey(event.key)) event.preventDefault();
    };
    const open = () => setOpened('palette');
    document.addEventListener('keydown', onKey);
    paletteEvents.addEventListener('open', open);
    return () => {
      document.removeEventListener('keydown', onKey);
      paletteEvents.removeEventListener('open', open);
    };
  }, []);
  const close = () => setOpened(null);
  return (
    <Suspense>
      {opened === 'palette' && <CommandPalette onClose={close} onHelp={() => setOpened('help')} />}
      {opened === 'help' && <KeyHelp onClose={close} />}
    </Suspense>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

/** Returns true if a dialog, menu, or list box is visible. Closed ones can remain in the page, hidden. */
const isDialogOpen = () =>
  [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')].some((element) =>
    element.checkVisibility(),
  );

/**
 * Runs the list action of a key.
 * @returns True if the key has an action on this page.
 */
function handleListKey(key: string): boolean {
  const main = document.querySelector('main');
  if (main === null) return false;
  const links = [...main.querySelectorAll<HTMLElement>('[role=row] [data-first] a')];
  const row = document.activeElement?.closest<HTMLElement>('[role=row]') ?? null;
  const current = links.findIndex((link) => row?.contains(link));
  switch (key) {
    case 'j':
    case 'k': {
      const next = key === 'j' ? current + 1 : Math.max(0, current - 1);
      links[next]?.focus();
      return links.length > 0;
    }
    case 'x':
      return click(row?.querySelector<HTMLElement>('input[type=checkbox]'));
    case 'X': {
      const box = row?.querySelector<HTMLElement>('input[type=checkbox]');
      box?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
      return box != null;
    }
    case 'a': {
      const box = row?.querySelector<HTMLInputElement>('input[type=checkbox]');
      // The action buttons appear only when a row is selected, so select the focused row first.
      if (document.querySelector('[data-key=a]') === null && box?.checked === false) box.click();
      requestAnimationFrame(() => click(document.querySelector<HTMLElement>('[data-key=a]')));
      return box != null || document.querySelector('[data-key=a]') !== null;
    }
    case '/': {
      const search = main.querySelector<HTMLElement>('input[type=search]');
      search?.focus();
      return search !== null;
    }
    default:
      return false;
  }
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return element != null;
}
