import { Portal } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import classes from './environment-matrix.module.css';

interface Hint {
  sentences: readonly string[];
  /** Position of the cell in the window, in pixels. */
  left: number;
  top: number;
  bottom: number;
}

/** Space for a hint below its cell, in pixels. Otherwise, the hint is above it. */
const requiredSpace = 140;

/**
 * Returns the hint for the hovered or focused cell, and functions that show and hide it. All cells share one
 * hint, because hundreds of tooltips would slow the page down.
 */
export function useHint() {
  const [hint, setHint] = useState<Hint | null>(null);
  const hide = useCallback(() => setHint(null), []);
  const show = useCallback((element: Element, sentences: readonly string[]) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    setHint({ sentences, left, top, bottom });
  }, []);
  const isShown = hint !== null;
  useEffect(() => {
    if (!isShown) return;
    const hideOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    window.addEventListener('scroll', hide, { capture: true, passive: true });
    window.addEventListener('keydown', hideOnEscape);
    return () => {
      window.removeEventListener('scroll', hide, { capture: true });
      window.removeEventListener('keydown', hideOnEscape);
    };
  }, [isShown, hide]);
  return { hint, show, hide };
}

/** The hint. Screen readers ignore it, because the name of the cell contains the same sentences. */
export function CellHint({ hint: { sentences, left, top, bottom } }: { hint: Hint }) {
  const isBelow = bottom + requiredSpace < window.innerHeight;
  return (
    <Portal>
      <div
        className={classes.hint}
        aria-hidden
        style={{
          left: `min(${left}px, 100vw - 21rem)`,
          ...(isBelow ? { top: bottom + 4 } : { bottom: window.innerHeight - top + 4 }),
        }}
      >
        {sentences.map((sentence) => (
          <div key={sentence}>{sentence}</div>
        ))}
      </div>
    </Portal>
  );
}
