import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Time in which content above the section can still load and move the section out of view. */
const settleMs = 3_000;
const userEvents = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

/**
 * Scrolls to a section of the page and marks it, until the user does something else.
 * @param section ID of the section to open if the URL has no fragment.
 */
export function useScrollToSection(section: string | undefined): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const id = hash === '' ? section : hash;
  useEffect(() => {
    const element = id === undefined ? null : document.getElementById(id);
    if (element === null) return;
    const scroll = () => element.scrollIntoView({ block: hash === '' ? 'nearest' : 'start' });
    const observer = new ResizeObserver(scroll);
    const stop = () => {
      observer.disconnect();
      delete element.dataset.opened;
    };
    element.dataset.opened = '';
    element.focus({ preventScroll: true });
    scroll();
    observer.observe(document.body);
    const timer = setTimeout(() => observer.disconnect(), settleMs);
    for (const name of userEvents) window.addEventListener(name, stop, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      stop();
      for (const name of userEvents) window.removeEventListener(name, stop);
    };
  }, [id, hash]);
}
